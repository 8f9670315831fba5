package dev.postern.core.upstream.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.endpoint.UpstreamSettings.ProxyProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the bytes of section 2 of the PROXY protocol. */
class ProxyProtocolEncoderTest {

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    private static ProxyProtocolSource source(String client, int port, @Nullable String destination) {
        return new ProxyProtocolSource(
                new InetSocketAddress(client, port),
                destination == null ? null : new InetSocketAddress(destination, 443));
    }

    private static String line(@Nullable ProxyProtocolSource source) {
        ByteBuf out = Unpooled.buffer();
        ProxyProtocolEncoder.write(ProxyProtocol.V1, source, out);
        return out.toString(US_ASCII);
    }

    private static String block(@Nullable ProxyProtocolSource source) {
        ByteBuf out = Unpooled.buffer();
        ProxyProtocolEncoder.write(ProxyProtocol.V2, source, out);
        return ByteBufUtil.hexDump(out);
    }

    @Test
    void linesNameBothEnds() {
        assertThat(line(source("192.0.2.1", 56324, "198.51.100.1")))
                .isEqualTo("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n");
        assertThat(line(source("2001:db8::1", 56324, "2001:db8::2")))
                .isEqualTo("PROXY TCP6 2001:db8::1 2001:db8::2 56324 443\r\n");
    }

    @Test
    void bothEndsAreOfOneFamily() {
        assertThat(line(source("192.0.2.1", 56324, "2001:db8::2")))
                .isEqualTo("PROXY TCP6 ::ffff:192.0.2.1 2001:db8::2 56324 443\r\n");
        assertThat(line(source("2001:db8::1", 56324, "198.51.100.1")))
                .isEqualTo("PROXY TCP6 2001:db8::1 ::ffff:198.51.100.1 56324 443\r\n");
        assertThat(block(source("192.0.2.1", 56324, "2001:db8::2")))
                .isEqualTo(SIGNATURE + "21210024" + "00000000000000000000ffffc0000201"
                        + "20010db8000000000000000000000002" + "dc0401bb");
    }

    @Test
    void theDestinationMayBeUnknown() {
        assertThat(line(source("192.0.2.1", 0, null))).isEqualTo("PROXY TCP4 192.0.2.1 192.0.2.1 0 0\r\n");
    }

    @Test
    void blocksNameBothEnds() {
        assertThat(block(source("192.0.2.1", 56324, "198.51.100.1")))
                .isEqualTo(SIGNATURE + "2111000c" + "c0000201" + "c6336401" + "dc0401bb");
        assertThat(block(source("2001:db8::1", 56324, "2001:db8::2")))
                .isEqualTo(SIGNATURE + "21210024" + "20010db8000000000000000000000001"
                        + "20010db8000000000000000000000002" + "dc0401bb");
    }

    @Test
    void theGatewaysOwnConnectionsHaveNoSource() {
        assertThat(line(null)).isEqualTo("PROXY UNKNOWN\r\n");
        assertThat(block(null)).isEqualTo(SIGNATURE + "20000000");
    }

    @Test
    void beginsAConnectionAndLeavesThePipeline() {
        EmbeddedChannel channel = new EmbeddedChannel(
                ProxyProtocolEncoder.of(ProxyProtocol.V1, source("192.0.2.1", 56324, "198.51.100.1")));
        assertThat(channel.connect(new InetSocketAddress("203.0.113.1", 80)).isSuccess())
                .isTrue();
        ByteBuf header = channel.readOutbound();
        assertThat(header.toString(US_ASCII)).isEqualTo("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n");
        header.release();
        assertThat(channel.pipeline().get(ProxyProtocolEncoder.class)).isNull();
        assertThat(channel.finish()).as("nothing else is sent").isFalse();
    }
}
