package dev.postern.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Checks the head of a forwarded request for parts that two parsers could read differently; independent of the gateway's rules, so that a
 * fault would have to be in both.
 */
public final class HeadLint {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern LINE = Pattern.compile(TOKEN + " (/[!-~]*|\\*) HTTP/1\\.1");
    private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "): ?([\\t -~\\x80-\\xff]*)");

    private HeadLint() {}

    /** Returns the faults that were found. */
    public static List<String> faults(String head) {
        List<String> faults = new ArrayList<>();
        if (!head.endsWith("\r\n\r\n")) {
            faults.add("no end");
        }
        String[] lines = head.split("\r\n", -1);
        if (!LINE.matcher(lines[0]).matches()) {
            faults.add("request line: " + lines[0]);
        }
        if (head.replace("\r\n", "").chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0)) {
            faults.add("bare CR, LF or NUL");
        }
        List<String> names = new ArrayList<>();
        for (int i = 1; i < lines.length - 2; i++) {
            var field = FIELD.matcher(lines[i]);
            if (field.matches()) {
                names.add(field.group(1).toLowerCase(Locale.ROOT));
                value(field.group(1).toLowerCase(Locale.ROOT), field.group(2), faults);
            } else {
                faults.add("field: " + lines[i]);
            }
        }
        exactly(1, "host", names, faults);
        if (count("content-length", names) + count("transfer-encoding", names) > 1) {
            faults.add("framed twice");
        }
        for (String name : names) {
            String letters = name.replaceAll("[^a-z0-9]", "");
            if (letters.matches("contentlength|transferencoding") && !name.matches("[a-z]+-[a-z]+")) {
                faults.add("like a field of framing: " + name);
            }
        }
        for (String hop : List.of("connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade")) {
            exactly(0, hop, names, faults);
        }
        if (count("expect", names) > count("content-length", names) + count("transfer-encoding", names)) {
            faults.add("an expectation without a body");
        }
        return faults;
    }

    private static void value(String name, String value, List<String> faults) {
        if (name.equals("content-length") && !value.matches("\\d{1,18}")) {
            faults.add("length: " + value);
        }
        if (name.equals("expect") && !value.equals("100-continue")) {
            faults.add("expectation: " + value);
        }
        if (name.equals("transfer-encoding") && !value.equals("chunked")) {
            faults.add("coding: " + value);
        }
        if (!value.equals(value.strip())) {
            faults.add("white space around: " + name);
        }
    }

    private static void exactly(int expected, String name, List<String> names, List<String> faults) {
        if (count(name, names) != expected) {
            faults.add(name + ": " + count(name, names) + " times (expected: " + expected + ")");
        }
    }

    private static long count(String name, List<String> names) {
        return names.stream().filter(name::equals).count();
    }
}
