package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a file of rules, one per line, with columns between bars and a readable notation for raw bytes. */
public final class RuleTable {

    private static final int COLUMNS = 5;
    private static final Pattern REPEATED = Pattern.compile("\\{([^{}]*?)\\*(\\d+)}");
    private static final Map<String, String> BYTES = Map.ofEntries(
            Map.entry("{CR}", "\r"),
            Map.entry("{LF}", "\n"),
            Map.entry("{TAB}", "\t"),
            Map.entry("{NUL}", "\0"),
            Map.entry("{SOH}", "\u0001"),
            Map.entry("{ETX}", "\u0003"),
            Map.entry("{VT}", "\u000b"),
            Map.entry("{SYN}", "\u0016"),
            Map.entry("{ESC}", "\u001b"),
            Map.entry("{SP}", " "),
            Map.entry("{BS}", "\\"),
            Map.entry("{DEL}", "\u007f"),
            Map.entry("{TILDE}", "~"),
            Map.entry("{EACUTE}", "\u00e9"),
            Map.entry("{BOM}", "\u00ef\u00bb\u00bf"));

    private RuleTable() {}

    /**
     * Rule of the table.
     *
     * @param section of the document that requires it
     * @param outcome for the client
     * @param sent bytes, one per character
     * @param expected further conditions
     */
    public record Rule(String section, String rule, String outcome, String sent, List<String> expected) {

        public int status() {
            return Integer.parseInt(outcome.substring(0, 3));
        }

        @Override
        public String toString() {
            return section + ": " + rule;
        }
    }

    /** Reads the rules of a file in the package of that class. */
    public static List<Rule> read(Class<?> type, String file) {
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + ": not on the class path");
            }
            List<Rule> rules = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), UTF_8).split("\n", -1)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    rules.add(rule(line));
                }
            }
            return rules;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Rule rule(String line) {
        String[] columns = (line + " ").split(" \\| ", COLUMNS);
        if (columns.length < COLUMNS) {
            columns = (line + " | ").split(" \\| ", COLUMNS);
        }
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException(line + " (expected: " + COLUMNS + " columns)");
        }
        List<String> expected = new ArrayList<>();
        for (String condition : columns[4].strip().split(" ; ", -1)) {
            if (!condition.isBlank()) {
                expected.add(bytes(condition.strip()));
            }
        }
        return new Rule(
                columns[0].strip(), columns[1].strip(), columns[2].strip(), bytes(columns[3].strip()), expected);
    }

    /** Returns the bytes of a readable notation. */
    public static String bytes(String spelling) {
        Matcher repeated = REPEATED.matcher(spelling);
        String text =
                repeated.replaceAll(m -> Matcher.quoteReplacement(m.group(1).repeat(Integer.parseInt(m.group(2)))));
        text = text.replace("~", "\r\n");
        for (Map.Entry<String, String> named : BYTES.entrySet()) {
            text = text.replace(named.getKey(), named.getValue());
        }
        return text;
    }
}
