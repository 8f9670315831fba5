package dev.postern.load.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compared runs: main class of {@code load-tests/compare}. Each argument is the folder of a run, whose table it reads.
 *
 * @param first values of the first run by figure
 * @param second values of the second run by figure
 */
record ComparedRuns(Map<String, String> first, Map<String, String> second) {
    /** Name of the file in the folder of a run. */
    static final String TABLE = "result.md";

    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(\\.\\d+)?");

    public static void main(String... arguments) {
        if (arguments.length != 2) {
            System.err.println("arguments: " + arguments.length + " (expected: the folders of two runs)");
            System.exit(2);
        }
        System.out.print(new ComparedRuns(read(arguments[0]), read(arguments[1])).table());
    }

    private static Map<String, String> read(String folder) {
        Path file = Path.of(folder, TABLE);
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": not readable (expected: the table of a run)", e);
        }
    }

    /** Reads the figures and values of a table. */
    static Map<String, String> parse(String table) {
        Map<String, String> values = new LinkedHashMap<>();
        table.lines().filter(line -> line.startsWith("| ")).skip(2).forEach(line -> {
            String[] cells = line.split(" *\\| *", -1);
            values.put(cells[1], cells[2]);
        });
        return values;
    }

    /** Returns a row for each figure of either run; the ratio is that of the last numbers, such as the p99. */
    String table() {
        Set<String> figures = new LinkedHashSet<>(first.keySet());
        figures.addAll(second.keySet());
        StringBuilder table =
                new StringBuilder("| figure | first | second | second / first |\n| --- | --- | --- | --- |\n");
        for (String figure : figures) {
            String one = first.getOrDefault(figure, "");
            String two = second.getOrDefault(figure, "");
            table.append("| %s | %s | %s | %s |%n".formatted(figure, one, two, ratio(one, two)));
        }
        return table.toString();
    }

    private static String ratio(String one, String two) {
        double divisor = lastNumber(one);
        double ratio = lastNumber(two) / divisor;
        boolean comparable =
                NUMBER.matcher(one).replaceAll("").equals(NUMBER.matcher(two).replaceAll(""));
        return comparable && divisor != 0 && !Double.isNaN(ratio) ? "%.2f".formatted(ratio) : "";
    }

    private static double lastNumber(String value) {
        double last = Double.NaN;
        Matcher matcher = NUMBER.matcher(value);
        while (matcher.find()) {
            last = Double.parseDouble(matcher.group().replace(",", ""));
        }
        return last;
    }
}
