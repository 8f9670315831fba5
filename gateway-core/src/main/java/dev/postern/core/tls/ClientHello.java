package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * First message of a TLS client (RFC 8446 section 4.1.2), of which only the server name is read (RFC 6066 section 3). Everything else, and
 * whether the message is valid, is for the engine.
 *
 * @param serverName as the client sent it, one character for each byte; null for none, and for a message that is no such hello
 */
record ClientHello(@Nullable String serverName) {

    private static final ClientHello WITHOUT_NAME = new ClientHello(null);

    private static final int RECORD_HEADER = 5;
    private static final int MAX_RECORD = 16_384 + 256;
    private static final int HANDSHAKE = 22;
    private static final int MESSAGE_HEADER = 4;
    private static final int CLIENT_HELLO = 1;
    private static final int VERSION_AND_RANDOM = 2 + 32;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;

    /** Bounds for the work that a client can cause with pieces of a hello. Usual hellos have one record of at most 2 KiB. */
    private static final int MAX_RECORDS = 16;

    private static final int MAX_MESSAGE = 32 * 1024;

    /**
     * Reads the received bytes, and consumes none; returns null when more are needed. Before the last record is there only headers are read, so
     * that a hello in tiny pieces costs no copy for each of them; the engine waits for whole records, too.
     */
    static @Nullable ClientHello read(ByteBuf in) {
        byte[] header = new byte[MESSAGE_HEADER];
        int received = 0;
        int at = in.readerIndex();
        for (int record = 0; record < MAX_RECORDS; record++) {
            if (in.writerIndex() - at < RECORD_HEADER) {
                return begins(in, at) ? null : WITHOUT_NAME;
            }
            int length = in.getUnsignedShort(at + RECORD_HEADER - 2);
            if (in.getUnsignedByte(at) != HANDSHAKE || length == 0 || length > MAX_RECORD) {
                return WITHOUT_NAME;
            }
            at += RECORD_HEADER;
            if (in.writerIndex() - at < length) {
                return null;
            }
            for (int i = received; i < Math.min(MESSAGE_HEADER, received + length); i++) {
                header[i] = in.getByte(at + i - received);
            }
            received += length;
            at += length;
            int size = size(header, received);
            if (size < 0) {
                return WITHOUT_NAME;
            }
            if (received >= size) {
                return new ClientHello(name(message(in, size).skipBytes(MESSAGE_HEADER)));
            }
        }
        return WITHOUT_NAME;
    }

    private static boolean begins(ByteBuf in, int at) {
        return in.writerIndex() == at || in.getUnsignedByte(at) == HANDSHAKE;
    }

    /** Returns the size of the message with its header; the most that there may be while that is unknown; -1 for another message. */
    private static int size(byte[] header, int received) {
        if (header[0] != CLIENT_HELLO) {
            return -1;
        }
        if (received < MESSAGE_HEADER) {
            return MAX_MESSAGE;
        }
        int size = MESSAGE_HEADER + ((header[1] & 0xff) << 16 | (header[2] & 0xff) << 8 | header[3] & 0xff);
        return size > MAX_MESSAGE ? -1 : size;
    }

    /** Returns the first bytes of the records' contents; all of them are there. */
    private static ByteBuf message(ByteBuf in, int size) {
        byte[] message = new byte[size];
        int at = in.readerIndex();
        for (int copied = 0; copied < size; ) {
            int length = in.getUnsignedShort(at + RECORD_HEADER - 2);
            int taken = Math.min(length, size - copied);
            in.getBytes(at + RECORD_HEADER, message, copied, taken);
            copied += taken;
            at += RECORD_HEADER + length;
        }
        return Unpooled.wrappedBuffer(message);
    }

    private static @Nullable String name(ByteBuf hello) {
        try {
            hello.skipBytes(VERSION_AND_RANDOM);
            hello.skipBytes(hello.readUnsignedByte()); // session id
            hello.skipBytes(hello.readUnsignedShort()); // cipher suites
            hello.skipBytes(hello.readUnsignedByte()); // compression methods
            ByteBuf extensions = hello.readSlice(hello.isReadable() ? hello.readUnsignedShort() : 0);
            while (extensions.isReadable()) {
                int type = extensions.readUnsignedShort();
                ByteBuf content = extensions.readSlice(extensions.readUnsignedShort());
                if (type == SERVER_NAME) {
                    return hostName(content.readSlice(content.readUnsignedShort()));
                }
            }
            return null;
        } catch (IndexOutOfBoundsException e) {
            return null; // the engine refuses it
        }
    }

    private static @Nullable String hostName(ByteBuf names) {
        while (names.isReadable()) {
            int type = names.readUnsignedByte();
            ByteBuf name = names.readSlice(names.readUnsignedShort());
            if (type == HOST_NAME) {
                return name.toString(ISO_8859_1);
            }
        }
        return null;
    }
}
