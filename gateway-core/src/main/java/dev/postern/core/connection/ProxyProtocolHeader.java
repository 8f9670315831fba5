package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Header of the PROXY protocol, version 1 (a line of text) or 2 (binary), as in HAProxy's {@code proxy-protocol.txt}: a load balancer sends
 * it first and names the client. Strict: a header that could be read in two ways is malformed.
 *
 * <p>Version 1 is {@code PROXY TCP4 192.0.2.1 198.51.100.1 56324 443}, ended by CR LF. Version 2 is a signature, version and command, family,
 * length, addresses, then TLVs (type, length, value). Of the TLVs only the checksum and the client's TLS are read; but all of them must end where
 * the block ends, so that none is taken for the client's bytes.
 *
 * @param source the client; null when the load balancer speaks for itself or does not know the client
 * @param tls whether the client uses TLS, which the load balancer ends; false when the header does not say so
 */
record ProxyProtocolHeader(@Nullable InetSocketAddress source, boolean tls) {

    private static final ProxyProtocolHeader UNKNOWN = new ProxyProtocolHeader(null, false);

    private static final byte[] TEXT = "PROXY ".getBytes(US_ASCII);
    private static final byte[] BINARY = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private static final int MAX_LINE = 107;
    private static final int MAX_ADDRESS = 45;
    private static final int WORDS = 6;

    /** Bytes behind the fixed part. The format allows 65535; addresses and the TLVs of load balancers need some hundred. */
    private static final int MAX_BLOCK = 4096;

    private static final int FIXED = 16;
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int UNSPECIFIED = 0x00;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int UNIX = 0x31;
    private static final int CHECKSUM = 3;
    private static final int SSL = 0x20;
    /** Length of the SSL TLV without the TLVs in it: flags and the result of the verification. */
    private static final int SSL_HEAD = 5;
    /** Flag of the SSL TLV: the client connected over TLS. */
    private static final int CLIENT_SSL = 1;

    private static final int TLV_HEAD = 3;

    /** Signals bytes that are not a valid header. Has no stack trace: the cause is the peer's input, not an error in the gateway. */
    static final class Malformed extends RuntimeException {

        private static final long serialVersionUID = 1;

        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }

    /**
     * Reads and consumes a header at the front of the received bytes; returns null, and consumes nothing, while the header is incomplete.
     * Throws {@link Malformed} as soon as the bytes can't become a header any more.
     */
    static @Nullable ProxyProtocolHeader read(ByteBuf in) {
        if (!in.isReadable()) {
            return null;
        }
        byte first = in.getByte(in.readerIndex());
        if (first == TEXT[0]) {
            return begins(in, TEXT) ? line(in) : null;
        }
        if (first == BINARY[0]) {
            return begins(in, BINARY) ? block(in) : null;
        }
        throw new Malformed("neither of the two beginnings");
    }

    /** Returns whether the bytes begin with a header, valid or not. */
    static boolean begins(ByteBuf in) {
        return matching(in, TEXT) == TEXT.length || matching(in, BINARY) == BINARY.length;
    }

    private static boolean begins(ByteBuf in, byte[] expected) {
        int matching = matching(in, expected);
        if (matching < Math.min(in.readableBytes(), expected.length)) {
            throw new Malformed("another beginning");
        }
        return matching == expected.length;
    }

    /** Returns how many bytes at the front are as expected. */
    private static int matching(ByteBuf in, byte[] expected) {
        int present = Math.min(in.readableBytes(), expected.length);
        int matching = 0;
        while (matching < present && in.getByte(in.readerIndex() + matching) == expected[matching]) {
            matching++;
        }
        return matching;
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new Malformed("an address of " + bytes.length + " bytes");
        }
    }

    // ---- version 1

    private static @Nullable ProxyProtocolHeader line(ByteBuf in) {
        int start = in.readerIndex();
        int present = Math.min(in.readableBytes(), MAX_LINE);
        int end = in.indexOf(start, start + present, (byte) '\n');
        if (end < 0) {
            if (present == MAX_LINE) {
                throw new Malformed("no end within " + MAX_LINE + " bytes");
            }
            return null;
        }
        if (in.getByte(end - 1) != '\r') {
            throw new Malformed("LF without CR");
        }
        String line = in.toString(start, end - 1 - start, US_ASCII);
        in.readerIndex(end + 1);
        return parsed(line);
    }

    private static ProxyProtocolHeader parsed(String line) {
        if (line.equals("PROXY UNKNOWN") || line.startsWith("PROXY UNKNOWN ")) {
            return UNKNOWN; // the receiver must ignore the rest of the line
        }
        String[] words = line.split(" ", -1);
        if (words.length != WORDS) {
            throw new Malformed(words.length + " words");
        }
        boolean four = switch (words[1]) {
            case "TCP4" -> true;
            case "TCP6" -> false;
            default -> throw new Malformed("another family");
        };
        InetAddress source = address(words[2], four);
        address(words[3], four);
        int port = number(words[4], 65535);
        number(words[5], 65535);
        return new ProxyProtocolHeader(new InetSocketAddress(source, port), false);
    }

    private static InetAddress address(String text, boolean four) {
        return address(four ? four(text) : six(text));
    }

    private static byte[] four(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            throw new Malformed("no IPv4 address");
        }
        byte[] bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) number(parts[i], 255);
        }
        return bytes;
    }

    private static byte[] six(String text) {
        // Netty also accepts brackets and scopes, which the protocol does not allow.
        boolean plain = text.length() <= MAX_ADDRESS
                && text.indexOf(':') >= 0
                && text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128 || c == ':' || c == '.');
        byte[] bytes = plain ? NetUtil.createByteArrayFromIpAddressString(text) : null;
        if (bytes == null || bytes.length != 16) {
            throw new Malformed("no IPv6 address");
        }
        return bytes;
    }

    /** Parses a decimal number without sign and leading zeros. */
    private static int number(String text, int max) {
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i > 4) {
                throw new Malformed("no number");
            }
            value = value * 10 + digit;
        }
        if (text.isEmpty() || (text.length() > 1 && text.charAt(0) == '0') || value > max) {
            throw new Malformed("no number of 0.." + max);
        }
        return value;
    }

    // ---- version 2

    private static @Nullable ProxyProtocolHeader block(ByteBuf in) {
        int start = in.readerIndex();
        if (in.readableBytes() < FIXED) {
            return null;
        }
        int command = in.getUnsignedByte(start + BINARY.length);
        if (command != LOCAL && command != PROXY) {
            throw new Malformed("another version or command");
        }
        int length = in.getUnsignedShort(start + FIXED - 2);
        if (length > MAX_BLOCK) {
            throw new Malformed(length + " bytes");
        }
        if (in.readableBytes() < FIXED + length) {
            return null;
        }
        byte[] whole = new byte[FIXED + length];
        in.readBytes(whole);
        return command == LOCAL ? UNKNOWN : parsed(whole);
    }

    private static ProxyProtocolHeader parsed(byte[] whole) {
        ByteBuffer block = ByteBuffer.wrap(whole);
        int family = block.get(FIXED - 3) & 0xff;
        block.position(FIXED);
        int size = switch (family) {
            case UNSPECIFIED -> 0;
            case TCP4 -> 2 * (4 + 2);
            case TCP6 -> 2 * (16 + 2);
            case UNIX -> 2 * 108;
            default -> throw new Malformed("another family");
        };
        if (block.remaining() < size) {
            throw new Malformed("shorter than its addresses");
        }
        @Nullable
        InetSocketAddress source = switch (family) {
            case TCP4 -> source(block, 4);
            case TCP6 -> source(block, 16);
            default -> null;
        };
        block.position(FIXED + size);
        return new ProxyProtocolHeader(source, pieces(block, whole));
    }

    private static InetSocketAddress source(ByteBuffer block, int size) {
        byte[] address = new byte[size];
        block.get(address);
        int port = block.getShort(FIXED + 2 * size) & 0xffff;
        return new InetSocketAddress(address(address), port);
    }

    /** Reads the TLVs; returns whether one says that the client uses TLS. */
    private static boolean pieces(ByteBuffer block, byte[] whole) {
        boolean described = false;
        boolean tls = false;
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
            } else if (type == SSL) {
                if (described || length < SSL_HEAD) {
                    throw new Malformed("the client's TLS twice or in " + length + " bytes");
                }
                described = true;
                tls = (block.get(block.position()) & CLIENT_SSL) != 0;
            }
            block.position(block.position() + length);
        }
        return tls;
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
