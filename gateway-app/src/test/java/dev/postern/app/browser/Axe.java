package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** The checker axe-core, by the rules of WCAG 2.0 to 2.2, A and AA, and by its own best practice. */
final class Axe {

    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
            axe.run(document, {runOnly: {type: 'tag', values: tags}}).then(result => {
              const told = kind => result[kind].flatMap(rule =>
                rule.nodes.map(node => kind + ' ' + rule.id + ': ' + rule.help + ' at ' + node.html + ' ' + node.failureSummary));
              done({rules: result.passes.length, told: told('violations').concat(told('incomplete'))});
            }, failure => done({rules: 0, told: ['' + failure]}));
            """;

    private static final int FEWEST_RULES = 10;

    private final String script;

    Axe() {
        try (InputStream in = Axe.class.getResourceAsStream("/axe.min.js")) {
            if (in == null) {
                throw new IllegalStateException("axe.min.js: not on the class path");
            }
            script = new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it finds on the page that the browser shows, each with the rule and the place. */
    List<String> findings(Browser browser) {
        browser.run(script);
        if (!(browser.runLong(RUN) instanceof Map<?, ?> result
                && result.get("rules") instanceof Long rules
                && rules >= FEWEST_RULES
                && result.get("told") instanceof List<?> received)) {
            throw new IllegalStateException("axe-core: no result (expected: many rules that were checked)");
        }
        return received.stream().map(String::valueOf).toList();
    }
}
