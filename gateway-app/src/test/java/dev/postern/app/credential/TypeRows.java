package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.GREASE;
import static dev.postern.app.credential.ExpectedResponse.MALFORMED;
import static dev.postern.app.credential.ExpectedResponse.UNSUPPORTED;
import static dev.postern.app.credential.Row.bad;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rules for every type except the one in the challenge, followed by the rest of a valid token. */
final class TypeRows {

    private static final String REGISTRY = "RFC 9578 section 8.2";

    /** Types of RFC 9577. */
    private static final int[] RESERVED = {
        0x0000, 0x02AA, 0x1132, 0x2E96, 0x3CD3, 0x4473, 0x5A63, 0x6D32, 0x7F3F, 0x8D07, 0x916B, 0xA6A4, 0xBEAB, 0xC3F3,
        0xDA42, 0xE944, 0xF057
    };

    private TypeRows() {}

    static List<Row> rows() {
        return Stream.of(reserved(), unknown(), known()).flatMap(List::stream).toList();
    }

    private static List<Row> reserved() {
        return Stream.concat(
                        IntStream.of(RESERVED)
                                .mapToObj(type -> bad(
                                        String.format("GREASE type 0x%04X", type),
                                        "RFC 9577 section 6.2.1",
                                        GREASE,
                                        m -> m.line(typed(m, type)))),
                        Stream.of(bad(
                                "GREASE type and nothing else",
                                "RFC 9577 section 6.2.1",
                                GREASE,
                                m -> m.line(new byte[] {0x2E, (byte) 0x96}))))
                .toList();
    }

    private static List<Row> unknown() {
        return List.of(
                unknown("type 3, not assigned", 0x0003, REGISTRY),
                unknown("type 5, VOPRF over ristretto255", 0x0005, REGISTRY),
                unknown("type of partially blind RSA", 0xDA7A, REGISTRY),
                unknown("type of partially oblivious VOPRF", 0xDA7B, REGISTRY),
                unknown("type of ARC", 0xE5AC, REGISTRY),
                unknown("type beside a GREASE one", 0x02AB, "RFC 9577 section 6.2.1"),
                unknown("greatest type", 0xFFFF, REGISTRY),
                unknown("type in the other byte order", 0x0200, "RFC 8446 section 3.1"),
                unknown("type of which only the lower byte is right", 0x0102, "RFC 9577 section 2.2.1"));
    }

    private static Row unknown(String name, int type, String rule) {
        return bad(name, rule, UNSUPPORTED, m -> m.line(typed(m, type)));
    }

    private static List<Row> known() {
        return List.of(
                bad(
                        "type 1, not asked for, in its own length",
                        "RFC 9577 section 2.2.1",
                        UNSUPPORTED,
                        m -> m.line(Arrays.copyOf(typed(m, 1), 146))),
                bad(
                        "type 1, not asked for, in the length of type 2",
                        "RFC 9578 section 8.2.1",
                        UNSUPPORTED,
                        m -> m.line(typed(m, 1))),
                bad(
                        "type 2 in the length of type 1",
                        "RFC 9578 section 8.2.2",
                        MALFORMED,
                        m -> m.line(Arrays.copyOf(m.bytes(), 146))),
                bad(
                        "type 2 and nothing else",
                        "RFC 9577 section 2.2.1",
                        MALFORMED,
                        m -> m.line(Arrays.copyOf(m.bytes(), 2))));
    }

    private static byte[] typed(Material m, int type) {
        return m.changed(bytes -> {
            bytes[0] = (byte) (type >> 8);
            bytes[1] = (byte) type;
        });
    }
}
