package dev.postern.core.connection;

import dev.postern.core.connection.ProxyProtocolHeader.Malformed;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Parser of version 2 of the PROXY protocol: signature, version and command, family, length, addresses, then TLVs (type, length, value). Of
 * the TLVs only the checksum is verified; but all of them must end where the block ends, so that none is taken for the client's bytes.
 */
final class ProxyProtocolV2Parser {

    /**
     * Maximum number of bytes behind the fixed part. The format allows 65535; addresses and the TLVs of load balancers need some hundred.
     */
    static final int MAX = 4096;

    private static final int FIXED = 16;
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int UNKNOWN = 0x00;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int UNIX = 0x31;
    private static final int CHECKSUM = 3;
    private static final int TLV_HEAD = 3;

    private ProxyProtocolV2Parser() {}

    /**
     * Reads a header as {@link ProxyProtocolHeader#read} does.
     *
     * @param signature length of the signature, which the caller has verified
     */
    static @Nullable ProxyProtocolHeader read(ByteBuf in, int signature) {
        int start = in.readerIndex();
        if (in.readableBytes() < FIXED) {
            return null;
        }
        int command = in.getUnsignedByte(start + signature);
        if (command != LOCAL && command != PROXY) {
            throw new Malformed("another version or command");
        }
        int length = in.getUnsignedShort(start + FIXED - 2);
        if (length > MAX) {
            throw new Malformed(length + " bytes");
        }
        if (in.readableBytes() < FIXED + length) {
            return null;
        }
        byte[] whole = new byte[FIXED + length];
        in.readBytes(whole);
        return command == LOCAL ? ProxyProtocolHeader.UNKNOWN : header(whole);
    }

    private static ProxyProtocolHeader header(byte[] whole) {
        ByteBuffer block = ByteBuffer.wrap(whole);
        int family = block.get(FIXED - 3) & 0xff;
        block.position(FIXED);
        int size = switch (family) {
            case UNKNOWN -> 0;
            case TCP4 -> 2 * (4 + 2);
            case TCP6 -> 2 * (16 + 2);
            case UNIX -> 2 * 108;
            default -> throw new Malformed("another family");
        };
        if (block.remaining() < size) {
            throw new Malformed("shorter than its addresses");
        }
        ProxyProtocolHeader header = switch (family) {
            case TCP4 -> new ProxyProtocolHeader(source(block, 4));
            case TCP6 -> new ProxyProtocolHeader(source(block, 16));
            default -> ProxyProtocolHeader.UNKNOWN;
        };
        block.position(FIXED + size);
        pieces(block, whole);
        return header;
    }

    private static InetSocketAddress source(ByteBuffer block, int size) {
        byte[] address = new byte[size];
        block.get(address);
        int port = block.getShort(FIXED + 2 * size) & 0xffff;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new Malformed("an address of " + size + " bytes");
        }
    }

    private static void pieces(ByteBuffer block, byte[] whole) {
        while (block.hasRemaining()) {
            if (block.remaining() < TLV_HEAD) {
                throw new Malformed("half a TLV");
            }
            int type = block.get();
            int length = block.getShort() & 0xffff;
            if (length > block.remaining()) {
                throw new Malformed("a TLV beyond the end");
            }
            if (type == CHECKSUM) {
                check(block, length, whole);
            }
            block.position(block.position() + length);
        }
    }

    private static void check(ByteBuffer block, int length, byte[] whole) {
        if (length != 4) {
            throw new Malformed("a checksum of " + length + " bytes");
        }
        int offset = block.position();
        CRC32C sum = new CRC32C();
        sum.update(whole, 0, offset);
        sum.update(new byte[4]); // the checksum was computed with zeros in its own field
        sum.update(whole, offset + 4, whole.length - offset - 4);
        if ((int) sum.getValue() != block.getInt(offset)) {
            throw new Malformed("another checksum");
        }
    }
}
