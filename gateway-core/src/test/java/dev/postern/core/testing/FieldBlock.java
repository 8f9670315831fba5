package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes and decodes HPACK (RFC 7541) as far as tests need it: writes literals without indexing, and reads all but Huffman code.
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

    /** Decodes the blocks of one connection, with their dynamic table (section 2.3.2). A text in Huffman code becomes question marks. */
    static final class Reader {

        private static final int DEFAULT_SIZE = 4096;
        private static final int ENTRY_OVERHEAD = 32;

        private final List<Entry> entries = new ArrayList<>();
        private int maxSize = DEFAULT_SIZE;
        private byte[] block = {};
        private int offset;

        private record Entry(String name, String value, int size) {}

        /** Decodes a block into alternating names and values. */
        List<String> read(byte[] next) {
            block = next;
            offset = 0;
            List<String> fields = new ArrayList<>();
            while (offset < block.length) {
                int first = block[offset] & 0xff;
                if ((first & 0xe0) == 0x20) {
                    maxSize = number(5);
                    evict(0);
                    continue;
                }
                Entry entry = first >= 0x80 ? entry(number(7)) : literal(number(first >= 0x40 ? 6 : 4));
                if ((first & 0xc0) == 0x40) {
                    evict(entry.size());
                    if (entry.size() <= maxSize) {
                        entries.add(0, entry);
                    }
                }
                fields.add(entry.name());
                fields.add(entry.value());
            }
            return fields;
        }

        private Entry entry(int index) {
            return 2 * index <= STATIC.length
                    ? new Entry(STATIC[2 * index - 2], STATIC[2 * index - 1], 0)
                    : entries.get(index - STATIC.length / 2 - 1);
        }

        private Entry literal(int nameIndex) {
            String name = nameIndex == 0 ? text() : entry(nameIndex).name();
            String value = text();
            return new Entry(name, value, name.length() + value.length() + ENTRY_OVERHEAD);
        }

        /** Removes the oldest entries until there is room for one of that size. */
        private void evict(int room) {
            int size = room + entries.stream().mapToInt(Entry::size).sum();
            while (size > maxSize && !entries.isEmpty()) {
                size -= entries.remove(entries.size() - 1).size();
            }
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
            return huffman ? "?".repeat(length) : text;
        }
    }
}
