package dev.postern.core.tls;

import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.Splits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the reader of server names. The result does not depend on how the bytes are split, no byte is consumed, and a name is a part of the
 * input, or of its records.
 */
public final class ClientHelloFuzz {

    private ClientHelloFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input begins with a hello that has a server name. */
    public static boolean accepts(byte[] input) {
        ClientHello whole = read(List.of(input));
        FuzzCheck.equal(read(Splits.of(input)), whole, "the same result for split bytes");
        String name = whole == null ? null : whole.serverName();
        FuzzCheck.hold(name == null || name.length() < input.length, "a name of the input's length at most");
        return name != null;
    }

    private static @Nullable ClientHello read(List<byte[]> pieces) {
        ByteBuf in = Unpooled.buffer();
        try {
            for (byte[] piece : pieces) {
                in.writeBytes(piece);
                ClientHello hello = ClientHello.read(in);
                FuzzCheck.hold(in.readerIndex() == 0, "no byte is consumed");
                if (hello != null) {
                    return hello;
                }
            }
            return null;
        } finally {
            in.release();
        }
    }
}
