package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.testing.HeadLint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts heads of requests from and to bytes, for fuzz targets of other packages. */
public final class HeadBytes {

    /** The maximum length of a client's head in bytes. */
    public static final int MAX = 8192;

    private HeadBytes() {}

    /** Parses the head at the start of the bytes; null when it is refused or incomplete. */
    public static @Nullable RequestHead read(byte[] bytes) {
        return read(bytes, MAX);
    }

    private static @Nullable RequestHead read(byte[] bytes, int max) {
        return ParsedHead.of(
                        new RequestHeadParser(new HeadLimits(max, max, 32), false, false),
                        new RequestHead(),
                        List.of(bytes))
                .head();
    }

    public static @Nullable RequestHead read(String text) {
        return read(text.getBytes(ISO_8859_1));
    }

    /** Returns the fields as {@code name: value}. */
    public static List<String> fields(RequestHead head) {
        return ParsedHead.fields(head);
    }

    /**
     * Returns the bytes that the gateway sends upstream for a prepared head. Checks the invariants of every such head: the outbound validator
     * accepts it, {@code HeadLint} finds no fault, and it parses to the same fields.
     *
     * @param max its maximum length in bytes
     */
    public static String written(RequestHead head, int max) {
        head.remove(FieldName.EXPECT);
        ByteBuf out = new HeadWriter().request(head, UnpooledByteBufAllocator.DEFAULT);
        if (out == null) {
            throw new AssertionError("a head that the last check does not pass: " + fields(head));
        }
        String text = out.toString(ISO_8859_1);
        out.release();
        FuzzCheck.equal(HeadLint.faults(text), List.of(), "a head without faults");
        RequestHead repeated = read(text.getBytes(ISO_8859_1), max);
        if (repeated == null) {
            throw new AssertionError("what we write we refuse: " + text);
        }
        FuzzCheck.equal(repeated.method(), head.method(), "the method there and back");
        FuzzCheck.equal(repeated.bodyLength(), head.bodyLength(), "the length of the body there and back");
        List<String> meant = fields(head);
        if (head.bodyLength() == RequestHead.CHUNKED) {
            meant.add("transfer-encoding: chunked");
        }
        FuzzCheck.equal(fields(repeated), meant, "the fields there and back");
        return text;
    }
}
