package dev.postern.core.capsule;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Result of the decoder for a stream that arrives in pieces, in the form of {@link StrictCapsules}. */
final class DecodedCapsules implements CapsuleDecoder.Listener {

    private final List<String> events = new ArrayList<>();

    private DecodedCapsules() {}

    static StrictCapsules of(List<byte[]> pieces) {
        DecodedCapsules listener = new DecodedCapsules();
        CapsuleDecoder decoder = new CapsuleDecoder(UnpooledByteBufAllocator.DEFAULT, listener);
        boolean well = true;
        for (byte[] piece : pieces) {
            ByteBuf in = Unpooled.wrappedBuffer(piece);
            well = decoder.decode(in);
            in.release();
        }
        boolean complete = decoder.complete();
        decoder.close();
        return new StrictCapsules(listener.events, !well, complete);
    }

    @Override
    public void payload(ByteBuf in, int index, int length) {
        events.add("payload " + ByteBufUtil.hexDump(in, index, length));
    }

    @Override
    public void unknownContext() {
        events.add("unknown");
    }
}
