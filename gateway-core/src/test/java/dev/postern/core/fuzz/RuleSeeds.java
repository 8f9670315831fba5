package dev.postern.core.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http1.RequestHeadFuzz;
import dev.postern.core.testing.RuleTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the requests and responses of the rule tables as seeds for the fuzzer, which keeps those that reach code that its corpus does not.
 */
public final class RuleSeeds {

    private static final int MAX_BYTES = 4096;

    private RuleSeeds() {}

    /** @param args a target, and the folder for its seeds */
    public static void main(String[] args) throws IOException {
        Map<String, byte[]> seeds = switch (args[0]) {
            case "RequestHeadFuzz", "DecoderDifferenceFuzz" -> requests();
            case "ResponseHeadFuzz" -> responses();
            case "ChunksFuzz" -> bodies();
            default -> Map.of();
        };
        int number = 0;
        for (byte[] seed : seeds.values()) {
            Files.write(Path.of(args[1], "rule-" + number++), seed);
        }
    }

    static Map<String, byte[]> requests() {
        return seeds("request-rules.txt");
    }

    static Map<String, byte[]> responses() {
        return seeds("response-rules.txt");
    }

    private static Map<String, byte[]> bodies() {
        Map<String, byte[]> bodies = new LinkedHashMap<>();
        requests().forEach((rule, bytes) -> {
            String text = new String(bytes, ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            if (end >= 0 && text.contains("chunked")) {
                bodies.put(rule, text.substring(end + 4).getBytes(ISO_8859_1));
            }
        });
        return bodies;
    }

    private static Map<String, byte[]> seeds(String file) {
        Map<String, byte[]> seeds = new LinkedHashMap<>();
        for (RuleTable.Rule rule : RuleTable.read(RequestHeadFuzz.class, file)) {
            byte[] bytes = rule.sent().getBytes(ISO_8859_1);
            if (bytes.length > 0 && bytes.length <= MAX_BYTES) {
                seeds.put(rule.toString(), bytes);
            }
        }
        return seeds;
    }
}
