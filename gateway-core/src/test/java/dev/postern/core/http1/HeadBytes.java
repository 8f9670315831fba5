package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.Must;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.codec.HeadLimits;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.testing.HeadLint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Heads of requests from bytes and back, for fuzz targets of other packages. */
public final class HeadBytes {

    /** The longest head that is read of a client, in bytes. */
    public static final int MAX = 8192;

    private HeadBytes() {}

    /** The head that those bytes begin with; null when it is refused or incomplete. */
    public static @Nullable RequestHead read(byte[] bytes) {
        return read(bytes, MAX);
    }

    private static @Nullable RequestHead read(byte[] bytes, int most) {
        return Scanned.of(
                        new RequestHeadParser(new HeadLimits(most, most, 32), false), new RequestHead(), List.of(bytes))
                .head();
    }

    public static @Nullable RequestHead read(String text) {
        return read(text.getBytes(ISO_8859_1));
    }

    /** The fields as {@code name: value}. */
    public static List<String> fields(RequestHead head) {
        return Scanned.fields(head);
    }

    /**
     * The bytes that go upstream for a head that was made ready for it. Checks what must hold of them whoever changed the head before: the last
     * check passes them, no lint finds anything, and they read as what was meant.
     *
     * @param most how long it may have become, in bytes
     */
    public static String written(RequestHead head, int most) {
        head.remove(FieldName.EXPECT);
        ByteBuf out = new HeadWriter().request(head, UnpooledByteBufAllocator.DEFAULT);
        if (out == null) {
            throw new AssertionError("a head that the last check does not pass: " + fields(head));
        }
        String text = out.toString(ISO_8859_1);
        out.release();
        Must.equal(HeadLint.faults(text), List.of(), "a head without faults");
        RequestHead repeated = read(text.getBytes(ISO_8859_1), most);
        if (repeated == null) {
            throw new AssertionError("what we write we refuse: " + text);
        }
        Must.equal(repeated.method(), head.method(), "the method there and back");
        Must.equal(repeated.bodyLength(), head.bodyLength(), "the length of the body there and back");
        List<String> meant = fields(head);
        if (head.bodyLength() == RequestHead.CHUNKED) {
            meant.add("transfer-encoding: chunked");
        }
        Must.equal(fields(repeated), meant, "the fields there and back");
        return text;
    }
}
