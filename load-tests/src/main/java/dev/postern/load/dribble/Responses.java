package dev.postern.load.dribble;

import java.util.function.IntFunction;

/** Responses of the upstreams of a benchmark. */
final class Responses {
    private Responses() {}

    /**
     * Response that repeats a block.
     *
     * @param http2 whether it is one of HTTP/2
     * @param begin head of HTTP/1.1, or field section of HTTP/2; may be empty
     * @param window bytes of the stream's window that a block takes
     * @param blocks by stream
     */
    record Response(boolean http2, byte[] begin, int window, IntFunction<byte[]> blocks) {
        byte[] block(int stream) {
            return blocks.apply(stream);
        }
    }

    static Response http1(String head, byte[] unit) {
        byte[] block = Wire.block(unit);
        return new Response(false, Wire.text(head), 0, stream -> block);
    }

    /** @param unit frames by stream, of which each takes that much of the window */
    static Response http2(byte[] begin, int window, IntFunction<byte[]> unit) {
        int units = Wire.block(unit.apply(1)).length / unit.apply(1).length;
        return new Response(true, begin, window * units, stream -> Wire.block(unit.apply(stream)));
    }
}
