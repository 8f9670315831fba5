package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.Splits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fuzzes the parser of PROXY protocol headers. The result does not depend on how the bytes are split; exactly the header is consumed; the
 * source is the one that the specification finds; and what the encoder writes parses to the same source.
 */
public final class ProxyProtocolHeaderFuzz {

    private static final Pattern LINE = Pattern.compile(
            "PROXY (UNKNOWN(?: .*)?|TCP([46]) ([0-9A-Fa-f:.]+) [0-9A-Fa-f:.]+ ([0-9]{1,5}) [0-9]{1,5})",
            Pattern.DOTALL);
    private static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");

    private ProxyProtocolHeaderFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input begins with a header. */
    public static boolean accepts(byte[] input) {
        String whole = read(List.of(input));
        FuzzCheck.equal(read(Splits.of(input)), whole, "the same result for split bytes");
        if (whole.equals("malformed") || whole.equals("more")) {
            return false;
        }
        int end = Integer.parseInt(whole.substring(0, whole.indexOf(' ')));
        String source = whole.substring(whole.indexOf(' ') + 1);
        FuzzCheck.equal(source, input[0] == 'P' ? line(input, end) : block(input, end), "the source");
        if (!source.equals("none")) {
            reencoded(input, end, source);
        }
        return true;
    }

    /** Returns the length and the source that the parser found. */
    private static String read(List<byte[]> pieces) {
        ByteBuf in = Unpooled.buffer();
        try {
            for (byte[] piece : pieces) {
                in.writeBytes(piece);
                ProxyProtocolHeader header = ProxyProtocolHeader.read(in);
                if (header != null) {
                    return in.readerIndex() + " " + sourceText(header.source());
                }
                FuzzCheck.hold(in.readerIndex() == 0, "nothing taken of half a header");
            }
            return "more";
        } catch (ProxyProtocolHeader.Malformed e) {
            return "malformed";
        } finally {
            in.release();
        }
    }

    private static String sourceText(@org.jspecify.annotations.Nullable InetSocketAddress source) {
        return source == null ? "none" : NetUtil.toSocketAddressString(source);
    }

    private static String line(byte[] input, int end) {
        FuzzCheck.hold(end <= 107, "a line within its limit");
        String text = new String(input, 0, end, ISO_8859_1);
        Matcher line = LINE.matcher(text.endsWith("\r\n") ? text.substring(0, end - 2) : "");
        FuzzCheck.hold(line.matches(), "a line by the specification: " + text);
        if (line.group(2) == null) {
            return "none";
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(line.group(3));
        return sourceText(new InetSocketAddress(address(address), Integer.parseInt(line.group(4))));
    }

    private static String block(byte[] input, int end) {
        ByteBuffer block = ByteBuffer.wrap(input, 0, end);
        byte[] signature = new byte[12];
        block.get(signature);
        FuzzCheck.hold(java.util.Arrays.equals(signature, SIGNATURE), "the signature");
        int command = block.get();
        int family = block.get();
        FuzzCheck.equal(end, 16 + (block.getShort() & 0xffff), "the end where it says");
        if (command != 0x21 || family != 0x11 && family != 0x21) {
            return "none";
        }
        byte[] source = new byte[family == 0x11 ? 4 : 16];
        block.get(source);
        block.position(block.position() + source.length);
        return sourceText(new InetSocketAddress(address(source), block.getShort() & 0xffff));
    }

    /** Encodes the source in the other version and parses the result. */
    private static void reencoded(byte[] input, int end, String source) {
        ByteBuf in = Unpooled.wrappedBuffer(input, 0, end);
        ProxyProtocolHeader header = ProxyProtocolHeader.read(in);
        InetSocketAddress address = header == null ? null : header.source();
        if (address == null) {
            throw new AssertionError("read otherwise the second time");
        }
        boolean four = address.getAddress().getAddress().length == 4;
        String text = NetUtil.toAddressString(address.getAddress());
        String line = "PROXY TCP" + (four ? 4 : 6) + " " + text + " " + text + " " + address.getPort() + " 443\r\n";
        FuzzCheck.equal(read(List.of(line.getBytes(ISO_8859_1))), line.length() + " " + source, "the same by a line");
    }

    private static java.net.InetAddress address(byte[] bytes) {
        try {
            return java.net.InetAddress.getByAddress(bytes);
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError("an address of " + bytes.length + " bytes", e);
        }
    }
}
