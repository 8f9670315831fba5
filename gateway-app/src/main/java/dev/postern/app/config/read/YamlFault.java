package dev.postern.app.config.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Fault of a text that is not YAML: its place, what is found there, and what is expected. The texts of the library are never shown, since
 * they speak of its grammar and may quote values; where none of the known faults applies, the text is a general one.
 *
 * @param line 1-based
 * @param column 1-based
 * @param text the found and the expected, without any value of the operator
 */
record YamlFault(int line, int column, String text) {

    private static final String QUOTES = "quotes around a value that begins with ";

    /** Returns the fault that the library found in a text. */
    static YamlFault of(YamlEngineException failure, String text) {
        return failure instanceof MarkedYamlEngineException marked
                ? new Reading(text, marked).fault()
                : unreadable(text);
    }

    /** Returns the fault of a text whose collections are nested too deeply for the library. */
    static YamlFault nested() {
        return new YamlFault(1, 1, "nested too deeply (expected: 32 levels)");
    }

    /** Returns the fault of a text with a character that no YAML contains, or that is too long. */
    private static YamlFault unreadable(String text) {
        int line = 1;
        int column = 1;
        for (int c : (Iterable<Integer>) text.codePoints()::iterator) {
            if (!StreamReader.isPrintable(c)) {
                return new YamlFault(
                        line, column, String.format("a character U+%04X (expected: text without such characters)", c));
            }
            line += c == '\n' ? 1 : 0;
            column = c == '\n' ? 1 : column + 1;
        }
        return new YamlFault(1, 1, "no YAML of a size that can be read (expected: up to 3 MiB of text)");
    }

    /** Reading of one failure: the library's words select the fault, and the text around it the hint. */
    private static final class Reading {

        /** Address of IPv6 in brackets, with or without a port. */
        private static final Pattern ADDRESS = Pattern.compile("\\[[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*\\](:[0-9]+)?");

        private final String[] lines;
        private final String problem;
        private final String context;
        private final @Nullable Mark at;
        private final @Nullable Mark start;

        Reading(String text, MarkedYamlEngineException failure) {
            this.lines = text.split("\r\n|\r|\n", -1);
            this.problem = String.valueOf(failure.getProblem());
            this.context = String.valueOf(failure.getContext());
            Optional<Mark> mark = failure.getProblemMark();
            this.start = failure.getContextMark().orElse(null);
            this.at = mark.isPresent() ? mark.get() : start;
        }

        YamlFault fault() {
            if (at == null) {
                return new YamlFault(1, 1, other());
            }
            String line = line(at);
            String indentation =
                    line.substring(0, line.length() - line.stripLeading().length());
            if (indentation.indexOf('\t') >= 0 || character(at) == '\t') {
                return place(at, "a tab (expected: blanks; YAML is not indented by tabs)");
            }
            YamlFault token = token(at);
            return token != null ? token : structure(at);
        }

        /** Returns the fault of a single value; null for a fault of lines and sections. */
        private @Nullable YamlFault token(Mark at) {
            if (context.contains("scanning an alias") || problem.contains("undefined alias")) {
                return place(start(at), "* without quotes (expected: \"*\", since * begins the name of an anchor)");
            }
            if (context.contains("scanning an anchor")) {
                return place(start(at), "& (expected: " + QUOTES + "&)");
            }
            if (context.contains("a tag") || problem.contains("tag handle")) {
                return place(start(at), "! (expected: " + QUOTES + "!)");
            }
            if (problem.contains("cannot start any token")) {
                String found = Character.toString(character(at));
                return place(at, found + " (expected: " + QUOTES + found + ")");
            }
            if (context.contains("directive") || problem.contains("directive")) {
                return place(start(at), "% (expected: " + QUOTES + "%)");
            }
            if (context.contains("block scalar")) {
                return place(start(at), "| or > (expected: a text on the following lines, or " + QUOTES + "| or >)");
            }
            if (context.contains("quoted scalar")) {
                return problem.contains("end of stream") || problem.contains("document separator")
                        ? place(start(at), "a quote (expected: the quote that ends it)")
                        : place(at, "\\ in double quotes (expected: \\\\, or single quotes around the value)");
            }
            return null;
        }

        private YamlFault structure(Mark at) {
            if (context.contains("flow")) {
                return flow(at);
            }
            if (problem.contains("mapping values")) {
                String before = line(at).substring(0, Math.min(at.getColumn(), line(at).length()));
                return before.contains(": ")
                        ? place(at, ": in a value (expected: quotes around the value, or one key on a line)")
                        : place(at, "a key in this column " + indentation());
            }
            if (problem.contains("sequence entries")) {
                return place(at, "- behind a key (expected: a line of its own, or a list such as [a, b])");
            }
            if (problem.contains("expected ':'") || problem.contains("simple key")) {
                return place(start(at), "a line without a key (expected: key: value)");
            }
            if (problem.contains("another document") || problem.contains("document start")) {
                return place(at, "text behind the end (expected: one document, without a second ---)");
            }
            return block(at);
        }

        private YamlFault flow(Mark at) {
            Matcher address = ADDRESS.matcher(line(at));
            while (address.find()) {
                if (address.start() <= at.getColumn() && at.getColumn() <= address.end()) {
                    return new YamlFault(
                            at.getLine() + 1,
                            address.start() + 1,
                            "an address in [ ] (expected: quotes around the whole value, such as \"[::1]:80\")");
                }
            }
            if (problem.contains("stream end") || problem.contains("end of stream")) {
                YamlFault unclosed = unclosed();
                return unclosed == null ? place(at, other()) : unclosed;
            }
            return place(
                    at,
                    "text in brackets (expected: a comma or the closing bracket; quotes around a value with [, ], {, }"
                            + " or a comma)");
        }

        /** Returns the fault of the last bracket that nothing closes; null where quotes or comments hide it. */
        private @Nullable YamlFault unclosed() {
            Deque<YamlFault> open = new ArrayDeque<>();
            for (int row = 0; row < lines.length; row++) {
                String line = lines[row].replaceAll("(\"[^\"]*\"|'[^']*')", "").replaceFirst("(^|\\s)#.*", "");
                boolean whole = line.equals(lines[row]);
                for (int i = 0; i < line.length(); i++) {
                    char c = line.charAt(i);
                    if (c == '[' || c == '{') {
                        String text = c + " (expected: the " + (c == '[' ? ']' : '}') + " that ends it)";
                        open.push(new YamlFault(row + 1, whole ? i + 1 : 1, text));
                    } else if ((c == ']' || c == '}') && !open.isEmpty()) {
                        open.pop();
                    }
                }
            }
            return open.peek();
        }

        /** Returns the fault of a section of keys or a list that goes on with something else. */
        private YamlFault block(Mark at) {
            String before = line(at).substring(0, Math.min(at.getColumn(), line(at).length()))
                    .stripTrailing();
            if (before.endsWith("]") || before.endsWith("}")) {
                return place(
                        at,
                        "text behind " + before.charAt(before.length() - 1)
                                + " (expected: quotes around the whole value)");
            }
            if (before.endsWith("\"") || before.endsWith("'")) {
                return place(at, "text behind a quote (expected: quotes around the whole value)");
            }
            return place(at, before.isBlank() ? "a line in this column " + indentation() : other());
        }

        private String indentation() {
            String where = start == null ? "" : ", here " + (start.getColumn() + 1);
            return "(expected: the keys and dashes of one section in the same column" + where + ")";
        }

        private static String other() {
            return "no YAML (expected: key: value; check indentation, quotes and brackets here and in the line above)";
        }

        private Mark start(Mark at) {
            return start == null ? at : start;
        }

        private String line(Mark mark) {
            return mark.getLine() < lines.length ? lines[mark.getLine()] : "";
        }

        private char character(Mark mark) {
            String line = line(mark);
            return mark.getColumn() < line.length() ? line.charAt(mark.getColumn()) : ' ';
        }

        private static YamlFault place(Mark mark, String text) {
            return new YamlFault(mark.getLine() + 1, mark.getColumn() + 1, text);
        }
    }
}
