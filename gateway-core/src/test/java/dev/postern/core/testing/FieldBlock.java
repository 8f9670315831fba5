package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes and decodes HPACK (RFC 7541) as far as tests need it: literals without indexing, and the output of an encoder without a dynamic
 * table.
 */
public final class FieldBlock {

    private static final String[] STATIC =
            (":authority||:method|GET|:method|POST|:path|/|:path|/index.html|:scheme|http|"
                            + ":scheme|https|:status|200|:status|204|:status|206|:status|304|:status|400|:status|404|:status|500|"
                            + "accept-charset||accept-encoding|gzip, deflate|accept-language||accept-ranges||accept||"
                            + "access-control-allow-origin||age||allow||authorization||cache-control||content-disposition||"
                            + "content-encoding||content-language||content-length||content-location||content-range||content-type||"
                            + "cookie||date||etag||expect||expires||from||host||if-match||if-modified-since||if-none-match||"
                            + "if-range||if-unmodified-since||last-modified||link||location||max-forwards||proxy-authenticate||"
                            + "proxy-authorization||range||referer||refresh||retry-after||server||set-cookie||"
                            + "strict-transport-security||transfer-encoding||user-agent||vary||via||www-authenticate|")
                    .split("\\|", -1);

    private FieldBlock() {}

    /** Encodes literals without indexing; {@code fields} are alternating names and values. */
    public static byte[] of(String... fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < fields.length; i += 2) {
            out.write(0);
            text(out, fields[i]);
            text(out, fields[i + 1]);
        }
        return out.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        integer(out, 0, 7, bytes.length);
        out.writeBytes(bytes);
    }

    /** Encodes an integer with a prefix of that many bits (section 5.1). */
    public static void integer(ByteArrayOutputStream out, int first, int bits, int value) {
        int max = (1 << bits) - 1;
        if (value < max) {
            out.write(first | value);
            return;
        }
        out.write(first | max);
        int left = value - max;
        while (left >= 128) {
            out.write(left % 128 + 128);
            left /= 128;
        }
        out.write(left);
    }

    /** Decodes a block into alternating names and values. */
    static List<String> read(byte[] block) {
        return new Reader(block).all();
    }

    private static final class Reader {

        private final byte[] block;
        private int offset;

        Reader(byte[] block) {
            this.block = block;
        }

        List<String> all() {
            List<String> fields = new ArrayList<>();
            while (offset < block.length) {
                int first = block[offset] & 0xff;
                if (first >= 0x80) {
                    int index = number(7);
                    fields.add(STATIC[2 * index - 2]);
                    fields.add(STATIC[2 * index - 1]);
                } else if ((first & 0xe0) == 0x20) {
                    number(5);
                } else {
                    int index = number(first >= 0x40 ? 6 : 4);
                    fields.add(index == 0 ? text() : STATIC[2 * index - 2]);
                    fields.add(text());
                }
            }
            return fields;
        }

        private int number(int bits) {
            int max = (1 << bits) - 1;
            int value = block[offset++] & max;
            if (value < max) {
                return value;
            }
            int shift = 0;
            int b;
            do {
                b = block[offset++] & 0xff;
                value += (b & 0x7f) << shift;
                shift += 7;
            } while (b >= 128);
            return value;
        }

        private String text() {
            boolean huffman = (block[offset] & 0x80) != 0;
            int length = number(7);
            String text = new String(block, offset, length, ISO_8859_1);
            offset += length;
            return huffman ? "?" : text;
        }
    }
}
