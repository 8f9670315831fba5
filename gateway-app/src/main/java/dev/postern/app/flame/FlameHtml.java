package dev.postern.app.flame;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.profile.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import one.convert.Arguments;
import one.convert.FlameGraph;

/** Flame graph of a profile as a self-contained page, made by async-profiler's converter. */
final class FlameHtml {

    /** Minimum width of a bar, in percent. It bounds the size of the page, whatever the profile's duration. */
    static final String MIN_WIDTH = "0.05";

    private FlameHtml() {}

    static String of(Profile profile, Instant taken, Duration length) throws IOException {
        StageShares stages = new StageShares();
        StringBuilder stacks = new StringBuilder();
        profile.stacks()
                .lines()
                .forEach(stack -> stacks.append(stages.add(stack)).append('\n'));
        String title = profile.event().about() + ", " + length.toSeconds() + " s from "
                + taken.truncatedTo(ChronoUnit.SECONDS) + ", by " + profile.engine() + ". " + stages + profile.hint();
        FlameGraph graph = new FlameGraph(new Arguments("--title", escaped(title), "--minwidth", MIN_WIDTH));
        // Names of frames are in a script of the page, and must not end it.
        graph.parseCollapsed(
                new StringReader(stacks.toString().replace("</", "< /").replace("<!", "< !")));
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        graph.dump(page);
        return page.toString(UTF_8).replace("' samples'", "' " + profile.event().unit() + "'");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
