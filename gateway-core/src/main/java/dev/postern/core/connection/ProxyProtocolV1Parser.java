package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.connection.ProxyProtocolHeader.Malformed;
import io.netty.buffer.ByteBuf;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Parser of version 1 of the PROXY protocol: {@code PROXY TCP4 192.0.2.1 198.51.100.1 56324 443}, ended by CR LF, 107 bytes at most. */
final class ProxyProtocolV1Parser {

    private static final int MAX = 107;
    private static final int WORDS = 6;
    private static final int LONGEST_ADDRESS = 45;

    private ProxyProtocolV1Parser() {}

    /** Reads a header as {@link ProxyProtocolHeader#read} does. */
    static @Nullable ProxyProtocolHeader read(ByteBuf in) {
        int start = in.readerIndex();
        int present = Math.min(in.readableBytes(), MAX);
        int end = in.indexOf(start, start + present, (byte) '\n');
        if (end < 0) {
            if (present == MAX) {
                throw new Malformed("no end within " + MAX + " bytes");
            }
            return null;
        }
        if (in.getByte(end - 1) != '\r') {
            throw new Malformed("LF without CR");
        }
        String line = in.toString(start, end - 1 - start, US_ASCII);
        in.readerIndex(end + 1);
        return header(line);
    }

    private static ProxyProtocolHeader header(String line) {
        if (line.equals("PROXY UNKNOWN") || line.startsWith("PROXY UNKNOWN ")) {
            return ProxyProtocolHeader.UNKNOWN; // the receiver must ignore the rest of the line
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
        return new ProxyProtocolHeader(new InetSocketAddress(source, port));
    }

    private static InetAddress address(String text, boolean four) {
        byte[] bytes = four ? four(text) : six(text);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new Malformed("an address of " + bytes.length + " bytes");
        }
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
        boolean plain = text.length() <= LONGEST_ADDRESS
                && text.indexOf(':') >= 0
                && text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128 || c == ':' || c == '.');
        byte[] bytes = plain ? NetUtil.createByteArrayFromIpAddressString(text) : null;
        if (bytes == null || bytes.length != 16) {
            throw new Malformed("no IPv6 address");
        }
        return bytes;
    }

    /** Parses a decimal number without sign and leading zeros. */
    private static int number(String text, int most) {
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i > 4) {
                throw new Malformed("no number");
            }
            value = value * 10 + digit;
        }
        if (text.isEmpty() || (text.length() > 1 && text.charAt(0) == '0') || value > most) {
            throw new Malformed("no number of 0.." + most);
        }
        return value;
    }
}
