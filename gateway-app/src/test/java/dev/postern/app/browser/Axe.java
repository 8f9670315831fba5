package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Runs the checker axe-core with the rules of WCAG 2.0 to 2.2, A and AA, and its own best practices. */
final class Axe {

    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
            axe.run(document, {runOnly: {type: 'tag', values: tags}}).then(result => {
              const findings = kind => result[kind].flatMap(rule =>
                rule.nodes.map(node => kind + ' ' + rule.id + ': ' + rule.help + ' at ' + node.html + ' ' + node.failureSummary));
              done({rules: result.passes.length, findings: findings('violations').concat(findings('incomplete'))});
            }, failure => done({rules: 0, findings: ['' + failure]}));
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

    /** Returns its findings on the current page, each with rule and element. */
    List<String> findings(Browser browser) {
        browser.run(script);
        if (!(browser.runLong(RUN) instanceof Map<?, ?> result
                && result.get("rules") instanceof Long rules
                && rules >= FEWEST_RULES
                && result.get("findings") instanceof List<?> received)) {
            throw new IllegalStateException("axe-core: no result (expected: many rules that were checked)");
        }
        return received.stream().map(String::valueOf).toList();
    }
}
