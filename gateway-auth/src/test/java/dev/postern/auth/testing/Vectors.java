package dev.postern.auth.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the test vectors of the RFCs from the class path. */
public final class Vectors {

    private Vectors() {}

    /** @param path such as {@code rfc9578/type2-blind-rsa-2048.json} */
    public static JsonNode read(String path) {
        try (InputStream in = Vectors.class.getResourceAsStream("/" + path)) {
            if (in == null) {
                throw new IllegalArgumentException(path + " (expected: a file of test vectors)");
            }
            return JsonMapper.shared().readTree(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<JsonNode> list(String path) {
        return StreamSupport.stream(read(path).spliterator(), false).toList();
    }

    public static byte[] bytes(JsonNode vector, String field) {
        return HexFormat.of().parseHex(vector.path(field).asString());
    }

    public static BigInteger number(JsonNode vector, String field) {
        return new BigInteger(1, bytes(vector, field));
    }
}
