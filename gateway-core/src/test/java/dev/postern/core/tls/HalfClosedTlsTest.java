package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.ConnectionSettings.HalfClose;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.certificate.KeyPairFiles;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that end their output by the close_notify of TLS and leave the connection open (RFC 8446 section 6.1). What they get behind
 * it arrives, or the connection is reset: never does a close_notify of the gateway stand behind bytes that were lost.
 */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class HalfClosedTlsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String ASK = "GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final String AGREE = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    @Parameter
    private TlsEngine.Kind engine;

    @TempDir
    private static Path folder;

    private static TestCertificate certificate;

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryGateway allowing =
            new MemoryGateway(MemoryGateway.setup().limits(TestLimits.with(Map.of("halfClose", HalfClose.ALLOW))));

    @BeforeAll
    static void certificate() {
        certificate = TestCertificate.ec(folder, "site", "dns:localhost");
    }

    @AfterEach
    void close() {
        gateway.close();
        allowing.close();
    }

    private Client connect(MemoryGateway to, String version) {
        return connect(to, listen(to), version);
    }

    private static Client connect(MemoryGateway to, MemoryListener listener, String version) {
        Client client = new Client(to.connect(listener), version);
        client.turn();
        assertThat(client.tls.handshakeFuture().isSuccess()).isTrue();
        return client;
    }

    private MemoryListener listen(MemoryGateway to) {
        return to.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(
                        List.of(new KeyPairFiles(certificate.certificate(), certificate.key())), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5)));
    }

    /** Client that keeps its output of TCP open. */
    private static final class Client extends ChannelInboundHandlerAdapter {

        private final StringBuilder received = new StringBuilder();
        private final Socket socket;
        private final SslHandler tls;
        private final EmbeddedChannel channel;
        private boolean notified;

        Client(Socket socket, String version) {
            this.socket = socket;
            SSLEngine client = TestCertificate.context(null, certificate).createSSLEngine("localhost", 443);
            client.setUseClientMode(true);
            client.setEnabledProtocols(new String[] {version});
            tls = new SslHandler(client);
            channel = new EmbeddedChannel(tls, this);
        }

        /** Sends what TLS has written, in one segment, and reads what arrives, until neither is left. */
        void turn() {
            try {
                boolean progress = true;
                while (progress) {
                    progress = flush();
                    InputStream in = socket.getInputStream();
                    while (in.available() > 0) {
                        channel.writeInbound(Unpooled.wrappedBuffer(in.readNBytes(in.available())));
                        progress = true;
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private boolean flush() throws IOException {
            ByteArrayOutputStream segment = new ByteArrayOutputStream();
            for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
                segment.writeBytes(ByteBufUtil.getBytes(next));
                next.release();
            }
            if (segment.size() == 0) {
                return false;
            }
            try {
                socket.getOutputStream().write(segment.toByteArray());
            } catch (SocketException e) {
                // closed meanwhile; bytes that arrived before can still be read
            }
            return true;
        }

        Client send(String text) {
            channel.writeAndFlush(Unpooled.copiedBuffer(text, ISO_8859_1));
            turn();
            return this;
        }

        Client closeNotify() {
            tls.closeOutbound();
            turn();
            return this;
        }

        /** Sends the text and the close_notify in one segment. */
        void sendAndCloseNotify(String text) {
            channel.writeAndFlush(Unpooled.copiedBuffer(text, ISO_8859_1));
            closeNotify();
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void shutdownOutput() {
            try {
                socket.shutdownOutput();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns how the gateway's output ends: by {@code close_notify}, {@code reset}, or neither. */
        String end() {
            turn();
            if (notified) {
                return "close_notify";
            }
            try {
                return "neither: " + socket.getInputStream().read();
            } catch (SocketTimeoutException e) {
                return "neither: open";
            } catch (SocketException e) {
                return "reset";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String text() {
            turn();
            return received.toString();
        }

        void assertNotified() {
            turn();
            assertThat(notified).isTrue();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf in = (ByteBuf) message;
            received.append(in.toString(ISO_8859_1));
            in.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            notified |= event == SslCloseCompletionEvent.SUCCESS;
        }
    }

    /** Returns how output behind a client's close_notify ends: BoringSSL's engine can't send it, nor any in TLS 1.2. */
    private String endOfLateOutput(String version) {
        return engine == TlsEngine.Kind.JDK && version.equals("TLSv1.3") ? "close_notify" : "reset";
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void anIdleConnectionIsClosedAtOnce(String version) {
        MemoryListener listener = listen(gateway);
        Client client = connect(gateway, listener, version);
        client.closeNotify().assertNotified();
        client.close();
        assertThat(listener.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void cancelsTheUpstreamThatIsWorking(String version) {
        Client client = connect(gateway, version).send(GET);
        Line line = gateway.accept();
        line.readHead();
        client.closeNotify();
        assertThat(line.closedByPeer()).isTrue();
        assertThat(gateway.ended()).hasSize(1);
        client.close();
    }

    /** A body without a length, which ends with the connection: its cut must show. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aResponseThatHadBegunIsReset(String version) {
        Client client = connect(gateway, version).send("GET / HTTP/1.0\r\nHost: h\r\n\r\n");
        Line line = gateway.accept();
        line.readHead();
        line.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npart");
        assertThat(client.text()).endsWith("part");
        client.closeNotify();
        assertThat(client.end()).isEqualTo("reset");
        assertThat(line.closedByPeer()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aResponseInTheReadOfTheNoticeIsSentOrReset(String version) {
        Client client = connect(gateway, version);
        client.sendAndCloseNotify("GET / HTTP/1.1\r\n\r\n");
        String end = client.end();
        assertThat(client.text() + end).matches("(?s).*reset|HTTP/1.1 400 .*}\\s*close_notify");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void whereAllowedAResponseIsSentOrReset(String version) {
        Client client = connect(allowing, version).send(GET);
        Line line = allowing.accept();
        line.readHead();
        client.closeNotify();
        if (endOfLateOutput(version).equals("close_notify")) {
            line.ok("late");
        } else {
            assertThat(line.closedByPeer())
                    .as("no client waits for the response")
                    .isTrue();
        }
        assertThat(client.end()).isEqualTo(endOfLateOutput(version));
        assertThat(client.text() + client.end()).matches("(?s)HTTP/1.1 200 .*lateclose_notify|reset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void whereAllowedTheRestOfAResponseIsSentOrReset(String version) {
        Client client = connect(allowing, version).send("GET / HTTP/1.0\r\nHost: h\r\n\r\n");
        Line line = allowing.accept();
        line.readHead();
        line.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npart");
        assertThat(client.text()).endsWith("part");
        client.closeNotify();
        if (endOfLateOutput(version).equals("close_notify")) {
            line.send(" two").finish();
        }
        assertThat(client.end()).isEqualTo(endOfLateOutput(version));
        assertThat(client.text() + client.end()).matches("(?s).*part twoclose_notify|.*reset");
    }

    @Test
    void aTunnelPassesTheEndOn() {
        Client client = connect(gateway, "TLSv1.3");
        Line line = upgrade(client);
        client.send("last words").closeNotify();
        assertThat(line.rest()).isEqualTo("last words");
    }

    /** BoringSSL's engine reports an end of the input for the first record behind its own close_notify. */
    @Test
    void aTunnelWhoseDestinationHasEndedTakesWhatTheClientSends() {
        Client client = connect(gateway, "TLSv1.3");
        Line line = upgrade(client);
        line.finish();
        client.assertNotified();
        client.send("one ").send("two ").send("three").closeNotify();
        client.shutdownOutput();
        assertThat(line.rest()).isEqualTo("one two three");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theOtherDirectionOfATunnelIsSentOrReset(String version) {
        Client client = connect(gateway, version);
        Line line = upgrade(client);
        client.closeNotify();
        assertThat(line.rest()).isEmpty();
        line.send("answer");
        if (endOfLateOutput(version).equals("close_notify")) {
            line.finish();
        }
        assertThat(client.end()).isEqualTo(endOfLateOutput(version));
        assertThat(client.text() + client.end()).matches("(?s).*answerclose_notify|.*reset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theOtherDirectionOfATunnelEndsWithANoticeWhereNothingIsLost(String version) {
        Client client = connect(gateway, version);
        Line line = upgrade(client);
        client.closeNotify();
        assertThat(line.rest()).isEmpty();
        line.finish();
        assertThat(client.end()).isEqualTo("close_notify");
    }

    /** The destination ends first: what it sent must not look cut. */
    @Test
    void aTunnelThatTheDestinationEndsIsNotCut() {
        Client client = connect(gateway, "TLSv1.3");
        Line line = upgrade(client);
        line.send("all").finish();
        client.assertNotified();
        assertThat(client.text()).endsWith("all");
        client.send("more").closeNotify();
        assertThat(line.rest()).isEqualTo("more");
    }

    private Line upgrade(Client client) {
        client.send(ASK);
        Line line = gateway.accept();
        line.readHead();
        line.send(AGREE);
        assertThat(client.text()).endsWith("\r\n\r\n");
        return line;
    }
}
