package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.NetUtil;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests valid and invalid headers of load balancers. */
class ProxyProtocolHeaderTest {

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static final String V4 = "c0000201c63364010400" + "01bb"; // 192.0.2.1:1024 to 198.51.100.1:443
    private static final String V6 =
            "20010db8000000000000000000000001" + "20010db8000000000000000000000002" + "ffff" + "01bb";

    private static ByteBuf text(String line) {
        return Unpooled.copiedBuffer(line, ISO_8859_1);
    }

    private static ByteBuf hex(String digits) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(digits));
    }

    private static String block(String commandAndFamily, String body) {
        return SIGNATURE + commandAndFamily + HexFormat.of().toHexDigits((short) (body.length() / 2)) + body;
    }

    private static String parsed(ByteBuf in) {
        ProxyProtocolHeader header = ProxyProtocolHeader.read(in);
        if (header == null) {
            return "more";
        }
        return header.source() == null ? "none" : NetUtil.toSocketAddressString(header.source());
    }

    /** Parses the header, after which the client's bytes remain; and every prefix of it, which is incomplete and consumes nothing. */
    private static void reads(ByteBuf header, String expected) {
        int length = header.readableBytes();
        for (int part = 0; part < length; part++) {
            ByteBuf begun = header.copy(0, part);
            assertThat(parsed(begun)).as("first %d bytes", part).isEqualTo("more");
            assertThat(begun.readableBytes()).isEqualTo(part);
            begun.release();
        }
        ByteBuf whole = Unpooled.buffer().writeBytes(header).writeBytes("GET".getBytes(ISO_8859_1));
        assertThat(parsed(whole)).isEqualTo(expected);
        assertThat(whole.toString(ISO_8859_1)).isEqualTo("GET");
        whole.release();
    }

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443, 192.0.2.1:56324",
        "PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535, 255.255.255.255:65535",
        "PROXY TCP4 0.0.0.0 0.0.0.0 0 0, 0.0.0.0:0",
        "PROXY TCP6 2001:db8::1 2001:db8::2 1 2, [2001:db8::1]:1",
        "PROXY TCP6 ::ffff:192.0.2.1 ::1 1 2, 192.0.2.1:1",
        "PROXY UNKNOWN, none",
        "PROXY UNKNOWN ffff:f...f:ffff whatever 1 2, none",
    })
    void readsLines(String line, String expected) {
        reads(text(line + "\r\n"), expected);
    }

    @Test
    void acceptsTheLongestLineAndNoLonger() {
        String longest = "PROXY UNKNOWN " + "x".repeat(107 - 14 - 2);
        reads(text(longest + "\r\n"), "none");
        refuses(text(longest + "x\r\n"));
        refuses(text(longest + "xx"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "Q",
                "PROXZ",
                "proxy TCP4 192.0.2.1 198.51.100.1 1 2",
                "PROXY  TCP4 192.0.2.1 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 2 ",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 2 3",
                "PROXY TCP4 192.0.2.1 198.51.100.1 65536 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 65536",
                "PROXY TCP4 192.0.2.1 198.51.100.1 4294967297 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 01 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 +1 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 -1 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1  2",
                "PROXY TCP4 192.0.2.256 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2.01 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2.1.1 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2.1 198.51.100 1 2",
                "PROXY TCP4 0xc0.0.2.1 198.51.100.1 1 2",
                "PROXY TCP4 2001:db8::1 198.51.100.1 1 2",
                "PROXY TCP4 example 198.51.100.1 1 2",
                "PROXY TCP6 192.0.2.1 2001:db8::1 1 2",
                "PROXY TCP6 [2001:db8::1] 2001:db8::1 1 2",
                "PROXY TCP6 fe80::1%eth0 2001:db8::1 1 2",
                "PROXY TCP6 2001:db8::1::2 2001:db8::1 1 2",
                "PROXY TCP6 2001:db8::g 2001:db8::1 1 2",
                "PROXY UDP4 192.0.2.1 198.51.100.1 1 2",
                "PROXY UNKNOWNS",
                "PROXY",
                "PROXY ",
            })
    void refusesLines(String line) {
        refuses(text(line + "\r\n"));
    }

    @Test
    void refusesALineThatEndsWithoutCr() {
        refuses(text("PROXY TCP4 192.0.2.1 198.51.100.1 1 22\n"));
    }

    @Test
    void readsBlocks() {
        reads(hex(block("2111", V4)), "192.0.2.1:1024");
        reads(hex(block("2121", V6)), "[2001:db8::1]:65535");
        reads(hex(block("2000", "")), "none");
        reads(hex(block("2011", V4)), "none"); // a health check of the load balancer itself
        reads(hex(block("2077", "0102")), "none");
        reads(hex(block("2100", "")), "none");
        reads(hex(block("2131", "00".repeat(216))), "none");
    }

    @ParameterizedTest
    @CsvSource({
        "2111, '', false",
        "2111, 20000501" + "00000000, true", // the client uses TLS
        "2111, 20000500" + "00000000, false",
        "2111, 20000506" + "00000000, false", // a certificate without TLS
        "2111, 20000507" + "00000001, true",
        "2111, 20000f01" + "0000000021000754" + "4c5376312e33, true", // its version inside: TLSv1.3
        "2111, ea0001ff" + "2000050100000000" + "040000, true", // between others
        "2011, 2000050100000000, false", // a health check
    })
    void readsTheTlsOfTheClient(String commandAndFamily, String tlvs, boolean tls) {
        ProxyProtocolHeader header = ProxyProtocolHeader.read(hex(block(commandAndFamily, V4 + tlvs)));

        assertThat(header).extracting(ProxyProtocolHeader::tls).isEqualTo(tls);
    }

    @Test
    void readsTheTlsOfAClientWithoutAddress() {
        assertThat(ProxyProtocolHeader.read(hex(block("2100", "2000050100000000"))))
                .isEqualTo(new ProxyProtocolHeader(null, true));
    }

    @Test
    void refusesTlsThatIsIncompleteOrDescribedTwice() {
        refuses(hex(block("2111", V4 + "200000")));
        refuses(hex(block("2111", V4 + "20000401000000")));
        refuses(hex(block("2111", V4 + "2000050100000000" + "2000050000000000")));
        refuses(hex(block("2111", V4 + "20000601000000")));
    }

    @Test
    void skipsTlvs() {
        reads(hex(block("2111", V4 + "ea0003" + "010203" + "040000")), "192.0.2.1:1024");
        reads(hex(block("2111", V4 + "04" + "0ff1" + "00".repeat(0xff1))), "192.0.2.1:1024");
    }

    @Test
    void acceptsAValidChecksum() {
        String zero = block("2111", V4 + "030004" + "00000000");
        CRC32C sum = new CRC32C();
        sum.update(HexFormat.of().parseHex(zero));
        String right = zero.substring(0, zero.length() - 8) + HexFormat.of().toHexDigits((int) sum.getValue());
        reads(hex(right), "192.0.2.1:1024");
        refuses(hex(zero));
        refuses(hex(right.replace("c0000201", "c0000202")));
        refuses(hex(block("2111", V4 + "030003" + "000000")));
    }

    @ParameterizedTest
    @CsvSource({
        "1111, first version",
        "3111, third version",
        "2211, another command",
        "2112, UDP over IPv4",
        "2122, UDP over IPv6",
        "2132, Unix datagrams",
        "2141, no family",
    })
    void refusesUnknownBlocks(String commandAndFamily, String reason) {
        refuses(hex(block(commandAndFamily, V6)));
        assertThat(reason).isNotEmpty();
    }

    @Test
    void refusesTlvsThatExceedTheBlock() {
        refuses(hex(block("2111", V4 + "04")));
        refuses(hex(block("2111", V4 + "0400")));
        refuses(hex(block("2111", V4 + "040001")));
        refuses(hex(block("2111", V4 + "04ffff")));
        refuses(hex(block("2111", V4 + "040001" + "00" + "00")));
        refuses(hex(block("2111", V4.substring(2))));
        refuses(hex(block("2121", V4)));
        refuses(hex(block("2131", V4)));
        refuses(hex(block("2111", "")));
    }

    @Test
    void refusesALengthBeyondTheLimitAtOnce() {
        refuses(hex(SIGNATURE + "2111" + "1001"));
        refuses(hex(SIGNATURE + "2000" + "ffff"));
        refuses(hex("0d0a0d0a000d0a515549540b"));
        refuses(hex("0d0b"));
    }

    private static void refuses(ByteBuf in) {
        assertThatThrownBy(() -> ProxyProtocolHeader.read(in)).isInstanceOf(ProxyProtocolHeader.Malformed.class);
        in.release();
    }
}
