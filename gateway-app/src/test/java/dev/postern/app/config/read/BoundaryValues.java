package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.ratelimit.store.SessionCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Boundary values of each key, as YAML. */
final class BoundaryValues {

    /** Invalid for scalars, and partly for other shapes. */
    private static final List<String> SHAPES = List.of("null", "''", "[]", "{}", "[[1]]", "{a: {b: c}}", "[null]", "x");

    private static final List<String> NUMBERS = List.of(
            "0", "1", "2", "-1", "2147483647", "2147483648", "-2147483648", "99999999999999999999", "1.5", "1e3");
    private static final List<String> SPANS = List.of(
            "0",
            "0s",
            "1us",
            "1ms",
            "1s",
            "-1s",
            "1d",
            "106751d",
            "106752d",
            "999999999999d",
            "1.5s",
            "1",
            "0.0000001s");
    private static final List<String> SIZES =
            List.of("0", "1B", "1KiB", "1MiB", "4GiB", "999999999GiB", "9999999999B", "-1B", "1MB", "1");
    private static final List<String> RATES =
            List.of("0", "0/s", "1/h", "1/s", "999999999/s", "999999999/h", "9999999999/s", "-1/s", "10", "1/d");
    private static final List<String> SHARES =
            List.of("0%", "0.000001%", "50%", "100%", "100.000001%", "999%", "-1%", "1", "101%");
    private static final List<String> SESSIONS = List.of("auto", "0", "1", "1000000", "1000001", "-1", "many");
    private static final List<String> ADDRESSES = List.of(
            "127.0.0.1:0",
            "127.0.0.1:65535",
            "127.0.0.1:65536",
            "'*:1'",
            "'[::1]:1'",
            "'[:::]:1'",
            "'[]:1'",
            "999.0.0.1:1",
            "'a..b:1'",
            "'.:1'",
            "a",
            "':1'",
            "'a:'",
            "'a:-1'",
            "1.2.3:1");
    private static final List<String> TEXTS = List.of(
            "' '",
            "a",
            "a b",
            "ä",
            "\"\\0\"",
            "'*'",
            "'*.'",
            "'*.a'",
            "'.'",
            "'..'",
            "a..b",
            "'-'",
            "_",
            "A",
            "/",
            "//",
            "/a b",
            "'/%zz'",
            "http://",
            "http://a",
            "http://a_b/",
            "'https://['",
            "'http://a/%zz'",
            "'http://u:p@a/'",
            "'http://a:99999/'",
            "ftp://a/",
            "redis://",
            "'redis://a:0'",
            "'redis://a:99999'",
            "'redis://:s3cr%zt@a'",
            "'redis://a/x'",
            "'redis://a b'",
            "'redis://a,b'",
            "'rediss://a'",
            "'redis://a?timeout=x'",
            "'redis://['",
            "0.0.0.0/0",
            "10.0.0.0/33",
            "'::ffff:0:0/95'",
            "'[::1]'",
            "'[:::]:1'",
            "'[:::]'",
            "'a:0'",
            "'a:1'",
            "'a:99999'",
            "'a:1 weight=0'",
            "'a:1 weight=1000'",
            "'a:1 weight=1001'",
            "'dns:a..b:1'",
            "'unix:/a'",
            "'unix:a'",
            "127.0.0.1:1",
            "'('",
            "'^( -> /'",
            "'^/(.*)$ -> /$2'",
            "443",
            "0",
            "65536",
            "70000",
            "1-",
            "9-1",
            "'1-99999'",
            "'${X}'",
            "'$${X}'",
            "'${file:token}'",
            "'${file:nowhere}'",
            "'{{ x }}'",
            "'{'",
            "'{host}'",
            "'{{'",
            "'header:'",
            "'header:a b'",
            "'cookie:a'",
            "auto",
            "en",
            "xx",
            "2027-01-31T18:00:00Z",
            "'+1000000000-12-31T23:59:59Z'",
            "1969-12-31T23:59:59Z",
            "host",
            "transfer-encoding",
            "websocket",
            "TLSv1.2",
            "TLSv1.3",
            "ring",
            "token",
            "it.crt",
            "it.key",
            ".",
            "/dev/null",
            "https://a/b",
            "'https://a b'",
            "__Host-a",
            "\"\\ud800\"");

    private static final Pattern RANGE = Pattern.compile("\\(expected: ([0-9a-zA-Z./%]+)\\.\\.([0-9a-zA-Z./%]+)\\)");

    private BoundaryValues() {}

    /** Position in {@link CompleteConfiguration} and its schema. */
    record Position(String key, ConfigSchema schema) {}

    /** Returns every key, and the first element of every list. */
    static List<Position> positions() {
        List<Position> positions = new ArrayList<>();
        visit(ConfigSchema.of(GatewayConfig.class), "", positions);
        return positions;
    }

    private static void visit(ConfigSchema schema, String key, List<Position> positions) {
        if (!key.isEmpty()) {
            positions.add(new Position(key, schema));
        }
        switch (schema.kind()) {
            case RECORD -> schema.fields().forEach(field -> visit(field.schema(), join(key, field.key()), positions));
            case LIST -> visit(schema.element(), join(key, "0"), positions);
            case MAP -> visit(schema.element(), join(key, named(key)), positions);
            case LEAF -> {}
        }
    }

    private static String join(String key, String next) {
        return key.isEmpty() ? next : key + "." + next;
    }

    /** Returns the names in the maps of the complete configuration. */
    private static String named(String key) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("forward", "default");
        names.put("crawlers", "bot");
        names.put("headers.set", "X-A");
        names.put("headers.add", "X-B");
        names.put("response.set", "X-C");
        names.put("response.add", "X-D");
        return names.entrySet().stream()
                .filter(name -> key.endsWith(name.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("x");
    }

    static List<String> of(ConfigSchema schema) {
        List<String> values = new ArrayList<>(SHAPES);
        values.add("a".repeat(4096));
        if (schema.kind() == ConfigSchema.Kind.LEAF) {
            values.addAll(single(schema.raw()));
        }
        return values;
    }

    private static List<String> single(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.asList(ScalarReaders.choices(type).split(" \\| "));
        }
        if (type == boolean.class) {
            return List.of("true", "false", "on", "yes");
        }
        return Map.<Class<?>, List<String>>of(
                        int.class, NUMBERS,
                        Integer.class, NUMBERS,
                        Duration.class, SPANS,
                        ByteSize.class, SIZES,
                        Rate.class, RATES,
                        Share.class, SHARES,
                        SessionCount.class, SESSIONS,
                        HostPort.class, ADDRESSES)
                .getOrDefault(type, TEXTS);
    }

    /** Returns the ends of the range that a problem names, and the values next to them. */
    static List<String> edges(String refusal) {
        Matcher range = RANGE.matcher(refusal);
        List<String> edges = new ArrayList<>();
        while (range.find()) {
            for (String end : List.of(range.group(1), range.group(2))) {
                edges.add(end);
                edges.addAll(neighbors(end));
            }
        }
        return edges;
    }

    private static List<String> neighbors(String end) {
        if (end.matches("\\d{1,12}")) {
            long number = Long.parseLong(end);
            return List.of(Long.toString(number - 1), Long.toString(number + 1));
        }
        if (end.matches("\\d+(B|KiB|MiB|GiB)")) {
            long bytes = ByteSize.of(end).bytes();
            return List.of((bytes + 1) + "B", (bytes - 1) + "B");
        }
        if (end.matches("\\d+(us|ms|s|m|h|d)")) {
            long micros = DurationText.parse(end).toNanos() / 1000;
            return List.of((micros + 1) + "us", (micros - 1) + "us");
        }
        return List.of();
    }
}
