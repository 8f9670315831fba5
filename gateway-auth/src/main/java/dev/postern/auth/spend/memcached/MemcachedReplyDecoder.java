package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.CorruptedFrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Reply decoder of one connection of an event loop: matches replies to the sent commands, in order. Stored spends are completed when the
 * reply with the server's epoch marker behind them has arrived. Confined to the loop.
 */
final class MemcachedReplyDecoder {

    /** Stands for the {@code gets} of the server's epoch marker behind spends. */
    private static final Object MARKER = new Object();

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Maximum length of an error line; memcached sends no longer ones. */
    private static final int LONGEST_LINE = 2048;

    private static final long STORED = 0x53544f5245440d0aL; // STORED\r\n
    private static final long NOT_STORED = 0x4e4f545f53544f52L; // NOT_STOR
    private static final int NOT_STORED_REST = 0x45440d0a; // ED\r\n
    private static final int STORED_LENGTH = Long.BYTES;
    private static final int NOT_STORED_LENGTH = Long.BYTES + Integer.BYTES;
    private static final int SERVER_ERROR = 0x53455256; // SERV

    private final MemcachedConnection connection;
    private final EpochMarkerReply markerReply;

    /** Sent commands without a reply, in order: each a {@link PendingAdd}, a {@link MemcachedCommand} or {@link #MARKER}. */
    private final ArrayDeque<Object> pending = new ArrayDeque<>();

    /** Stored spends since the last reply with the epoch marker. */
    private final ArrayDeque<PendingAdd> stored = new ArrayDeque<>();

    /** @param markerKey key of the server's epoch marker */
    MemcachedReplyDecoder(MemcachedConnection connection, byte[] markerKey) {
        this.connection = connection;
        this.markerReply = new EpochMarkerReply(markerKey);
    }

    void expect(PendingAdd add) {
        pending.add(add);
    }

    void expect(MemcachedCommand command) {
        pending.add(command);
    }

    /** Expects the reply to the {@code gets} of the server's epoch marker behind spends. */
    void expectMarker() {
        pending.add(MARKER);
    }

    /** Settles all sent commands as lost. */
    void lost() {
        for (Object next = pending.poll(); next != null; next = pending.poll()) {
            if (next instanceof PendingAdd add) {
                connection.leave();
                add.settled(StoreReply.LOST);
            } else if (next instanceof MemcachedCommand command) {
                command.drop();
            }
        }
        marked(null);
    }

    /** Reads all complete replies. Returns false when bytes remain that belong to no sent command. */
    boolean read(ByteBuf in) throws IOException {
        Object first = pending.peek();
        while (first != null && read(first, in)) {
            first = pending.peek();
        }
        return first != null || !in.isReadable();
    }

    /** Reads one reply. Returns false when the reply is incomplete. */
    private boolean read(Object first, ByteBuf in) throws IOException {
        if (first instanceof PendingAdd add) {
            return read(add, in);
        }
        return first instanceof MemcachedCommand command ? read(command, in) : readMarker(in);
    }

    private boolean readMarker(ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        if (!markerReply.matches(in)) {
            pending.remove();
            pending.addFirst(new GetsCommand(NOTHING, 0, this::markerRead));
            return true;
        }
        if (in.readableBytes() < markerReply.length()) {
            return false;
        }
        in.skipBytes(markerReply.length());
        pending.remove();
        marked(markerReply.last());
        return true;
    }

    private void markerRead(GetsReply.Response response) {
        markerReply.expect(response);
        marked(response);
    }

    private void marked(GetsReply.@Nullable Response response) {
        byte[] marker = connection.connection().found(response);
        // One by one: a listener may close the connection.
        for (PendingAdd next = stored.poll(); next != null; next = stored.poll()) {
            next.shown(marker);
        }
    }

    private boolean read(PendingAdd add, ByteBuf in) {
        int length = in.readableBytes();
        int offset = in.readerIndex();
        if (length >= STORED_LENGTH && in.getLong(offset) == STORED) {
            return settle(add, in, STORED_LENGTH, StoreReply.STORED);
        }
        if (length >= NOT_STORED_LENGTH
                && in.getLong(offset) == NOT_STORED
                && in.getInt(offset + Long.BYTES) == NOT_STORED_REST) {
            return settle(add, in, NOT_STORED_LENGTH, StoreReply.NOT_STORED);
        }
        int lineLength = in.bytesBefore((byte) '\n');
        if (lineLength < 0) {
            if (length > LONGEST_LINE) {
                throw new CorruptedFrameException("memcached sent " + length + " bytes without an end of line");
            }
            return false;
        }
        boolean refused = lineLength >= Integer.BYTES && in.getInt(offset) == SERVER_ERROR;
        settle(add, in, lineLength + 1, StoreReply.REFUSED);
        if (!refused) {
            // The server did not understand the command, so later responses can't be assigned. Closes the connection.
            throw new CorruptedFrameException("memcached sent an unexpected reply to an add");
        }
        return true;
    }

    private boolean settle(PendingAdd add, ByteBuf in, int length, StoreReply reply) {
        in.skipBytes(length);
        pending.remove();
        connection.leave();
        if (reply == StoreReply.STORED) {
            stored.add(add);
        }
        add.settled(reply);
        return true;
    }

    private boolean read(MemcachedCommand command, ByteBuf in) throws IOException {
        if (!in.isReadable()) {
            return false;
        }
        ByteBuffer received = in.nioBuffer();
        try {
            command.read(received);
        } finally {
            in.skipBytes(received.position());
        }
        if (!command.settled()) {
            return false;
        }
        pending.remove();
        return true;
    }

    /**
     * Reply to the {@code gets} of the server's epoch marker. The reply is the same each time while the server keeps its memory, so it is
     * compared with the last one instead of parsed. For one connection and its thread.
     */
    private static final class EpochMarkerReply {

        private static final ByteBuf NONE = Unpooled.EMPTY_BUFFER;

        private final String key;
        private ByteBuf expected = NONE;
        private GetsReply.@Nullable Response last;

        EpochMarkerReply(byte[] key) {
            this.key = new String(key, US_ASCII);
        }

        /** Returns the last response, or null. */
        GetsReply.@Nullable Response last() {
            return last;
        }

        /** Returns the length of the expected reply in bytes. */
        int length() {
            return expected.readableBytes();
        }

        /** Returns whether the readable bytes equal the expected reply, or a prefix of the expected reply if not all bytes have arrived. */
        boolean matches(ByteBuf in) {
            int length = Math.min(in.readableBytes(), length());
            return length() > 0 && ByteBufUtil.equals(expected, 0, in, in.readerIndex(), length);
        }

        /** Sets the response that is expected from now on. */
        void expect(GetsReply.Response response) {
            byte[] value = response.value();
            last = response;
            if (value == null) {
                expected = NONE;
                return;
            }
            String head = "VALUE " + key + " 0 " + value.length + " " + Long.toUnsignedString(response.cas()) + "\r\n";
            expected = Unpooled.wrappedBuffer(head.getBytes(US_ASCII), value, "\r\nEND\r\n".getBytes(US_ASCII));
        }
    }
}
