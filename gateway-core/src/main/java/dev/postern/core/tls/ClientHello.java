package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
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

    /** Reads the received bytes, and consumes none; returns null when more are needed. */
    static @Nullable ClientHello read(ByteBuf in) {
        ByteBuf message = in.alloc().heapBuffer();
        try {
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
                int there = Math.min(length, in.writerIndex() - at);
                message.writeBytes(in, at, there);
                int size = size(message);
                if (size < 0) {
                    return WITHOUT_NAME;
                }
                if (message.readableBytes() >= size) {
                    return new ClientHello(name(message.slice(MESSAGE_HEADER, size - MESSAGE_HEADER)));
                }
                if (there < length) {
                    return null;
                }
                at += length;
            }
            return WITHOUT_NAME;
        } finally {
            message.release();
        }
    }

    private static boolean begins(ByteBuf in, int at) {
        return in.writerIndex() == at || in.getUnsignedByte(at) == HANDSHAKE;
    }

    /** Returns the size of the message with its header; the most that there may be while that is unknown; -1 for another message. */
    private static int size(ByteBuf message) {
        if (message.isReadable() && message.getUnsignedByte(0) != CLIENT_HELLO) {
            return -1;
        }
        if (message.readableBytes() < MESSAGE_HEADER) {
            return MAX_MESSAGE;
        }
        int size = MESSAGE_HEADER + message.getUnsignedMedium(1);
        return size > MAX_MESSAGE ? -1 : size;
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
