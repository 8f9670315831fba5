package dev.postern.app.flame;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import one.convert.Arguments;
import one.convert.FlameGraph;

/**
 * Page of a flame graph, parsed by async-profiler's converter.
 *
 * @param title its heading
 * @param stacks with their weights, frames separated by semicolons
 */
public record GraphPage(String title, Map<String, Long> stacks) {

    public static GraphPage of(String html) {
        try {
            FlameGraph graph = new FlameGraph(new Arguments("--output", "collapsed"));
            graph.parseHtml(new StringReader(html));
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            graph.dump(text);
            String title = html.substring(html.indexOf("<h1>") + 4, html.indexOf("</h1>"));
            return new GraphPage(title, stacks(text.toString(UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param collapsed a line for each stack, its weight after the last space */
    public static Map<String, Long> stacks(String collapsed) {
        return collapsed
                .lines()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)),
                        Long::sum));
    }

    /** Returns the names of all frames, without the suffixes of their kinds. */
    public Set<String> names() {
        return names(stacks);
    }

    public static Set<String> names(Map<String, Long> stacks) {
        return stacks.keySet().stream()
                .flatMap(stack -> Arrays.stream(stack.split(";")))
                .map(frame -> frame.replaceFirst("_\\[.]$", ""))
                .collect(Collectors.toSet());
    }
}
