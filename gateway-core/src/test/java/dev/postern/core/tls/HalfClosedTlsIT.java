package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.connection.ClientLimits.HalfClose;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.certificate.KeyPairFiles;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
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
class HalfClosedTlsIT {

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

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final RawOrigin origin = new RawOrigin();
    private CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));

    @BeforeAll
    static void certificate() {
        certificate = TestCertificate.ec(folder, "site", "dns:localhost");
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private int tlsPort(TlsEngine.Kind kind) {
        return gateway.listen(new ServerTls(
                TestTls.environment(kind),
                new ServerTls.Settings(
                        List.of(new KeyPairFiles(certificate.certificate(), certificate.key())), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5)));
    }

    /** Client that keeps its output of TCP open. */
    private final class Client extends ChannelInboundHandlerAdapter {

        private final Queue<String> received = new ConcurrentLinkedQueue<>();
        private final SslHandler tls;
        private final Channel channel;
        private final Cork cork = new Cork();
        private volatile boolean notified;
        private volatile boolean reset;

        Client(TlsEngine.Kind kind, String version) {
            SSLContext context = TestCertificate.context(null, certificate);
            SSLEngine client = context.createSSLEngine("localhost", 443);
            client.setUseClientMode(true);
            client.setEnabledProtocols(new String[] {version});
            tls = new SslHandler(client);
            channel = new Bootstrap()
                    .group(loops)
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel opened) {
                            opened.pipeline().addLast(cork, tls, Client.this);
                        }
                    })
                    .connect(InetAddress.getLoopbackAddress(), tlsPort(kind))
                    .syncUninterruptibly()
                    .channel();
            tls.handshakeFuture().syncUninterruptibly();
        }

        Client send(String text) {
            channel.writeAndFlush(Unpooled.copiedBuffer(text, ISO_8859_1)).syncUninterruptibly();
            return this;
        }

        Client closeNotify() {
            tls.closeOutbound().syncUninterruptibly();
            return this;
        }

        /** Sends the text and the close_notify in one segment. */
        void sendAndCloseNotify(String text) {
            channel.eventLoop()
                    .submit(() -> {
                        cork.closed = true;
                        channel.writeAndFlush(Unpooled.copiedBuffer(text, ISO_8859_1));
                        tls.closeOutbound();
                        cork.closed = false;
                        channel.flush();
                    })
                    .syncUninterruptibly();
        }

        /** Returns how the gateway's output ends: by {@code close_notify}, {@code reset}, or neither. */
        String awaitEnd() {
            await().until(() -> notified || reset || !channel.isActive());
            return notified ? "close_notify" : reset ? "reset" : "neither";
        }

        String text() {
            return String.join("", received);
        }

        void awaitNotified() {
            await().until(() -> notified);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf in = (ByteBuf) message;
            received.add(in.toString(ISO_8859_1));
            in.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            notified |= event == SslCloseCompletionEvent.SUCCESS;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            reset |= cause instanceof SocketException;
        }
    }

    /** Cork of an output: while it is closed, flushes do nothing. */
    private static final class Cork extends ChannelOutboundHandlerAdapter {

        private boolean closed;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (!closed) {
                ctx.flush();
            }
        }
    }

    /** Returns how output behind a client's close_notify ends: BoringSSL's engine can't send it, nor any in TLS 1.2. */
    private String endOfLateOutput(String version) {
        return engine == TlsEngine.Kind.JDK && version.equals("TLSv1.3") ? "close_notify" : "reset";
    }

    private void allow() {
        gateway.close();
        gateway = new CoreGateway(
                Setup.of(origin.address()).limits(TestLimits.with(Map.of("halfClose", HalfClose.ALLOW))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void anIdleConnectionIsClosedAtOnce(String version) {
        Client client = new Client(engine, version);
        client.closeNotify().awaitNotified();
        client.channel.close();
        await().until(() -> gateway.server().connections() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void cancelsTheUpstreamThatIsWorking(String version) {
        Client client = new Client(engine, version).send(GET);
        Line line = origin.accept();
        line.readHead();
        client.closeNotify();
        assertThat(line.closedByPeer()).isTrue();
        await().until(() -> gateway.ended().size() == 1);
        client.channel.close();
    }

    /** A body without a length, which ends with the connection: its cut must show. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aResponseThatHadBegunIsReset(String version) {
        Client client = new Client(engine, version).send("GET / HTTP/1.0\r\nHost: h\r\n\r\n");
        Line line = origin.accept();
        line.readHead();
        line.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npart");
        await().until(() -> client.text().endsWith("part"));
        client.closeNotify();
        assertThat(client.awaitEnd()).isEqualTo("reset");
        assertThat(line.closedByPeer()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aResponseInTheReadOfTheNoticeIsSentOrReset(String version) {
        Client client = new Client(engine, version);
        client.sendAndCloseNotify("GET / HTTP/1.1\r\n\r\n");
        String end = client.awaitEnd();
        assertThat(client.text() + end).matches("(?s).*reset|HTTP/1.1 400 .*}\\s*close_notify");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void whereAllowedAResponseIsSentOrReset(String version) {
        allow();
        Client client = new Client(engine, version).send(GET);
        Line line = origin.accept();
        line.readHead();
        client.closeNotify();
        if (endOfLateOutput(version).equals("close_notify")) {
            line.ok("late");
        } else {
            assertThat(line.closedByPeer())
                    .as("no client waits for the response")
                    .isTrue();
        }
        assertThat(client.awaitEnd()).isEqualTo(endOfLateOutput(version));
        assertThat(client.text() + client.awaitEnd()).matches("(?s)HTTP/1.1 200 .*lateclose_notify|reset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void whereAllowedTheRestOfAResponseIsSentOrReset(String version) {
        allow();
        Client client = new Client(engine, version).send("GET / HTTP/1.0\r\nHost: h\r\n\r\n");
        Line line = origin.accept();
        line.readHead();
        line.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npart");
        await().until(() -> client.text().endsWith("part"));
        client.closeNotify();
        if (endOfLateOutput(version).equals("close_notify")) {
            line.send(" two").finish();
        }
        assertThat(client.awaitEnd()).isEqualTo(endOfLateOutput(version));
        assertThat(client.text() + client.awaitEnd()).matches("(?s).*part twoclose_notify|.*reset");
    }

    @Test
    void aTunnelPassesTheEndOn() {
        Client client = new Client(engine, "TLSv1.3");
        Line line = upgrade(client);
        client.send("last words").closeNotify();
        assertThat(line.rest()).isEqualTo("last words");
    }

    /** BoringSSL's engine reports an end of the input for the first record behind its own close_notify. */
    @Test
    void aTunnelWhoseDestinationHasEndedTakesWhatTheClientSends() {
        Client client = new Client(engine, "TLSv1.3");
        Line line = upgrade(client);
        line.finish();
        client.awaitNotified();
        client.send("one ").send("two ").send("three").closeNotify();
        ((SocketChannel) client.channel).shutdownOutput().syncUninterruptibly();
        assertThat(line.rest()).isEqualTo("one two three");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theOtherDirectionOfATunnelIsSentOrReset(String version) {
        Client client = new Client(engine, version);
        Line line = upgrade(client);
        client.closeNotify();
        assertThat(line.rest()).isEmpty();
        line.send("answer");
        if (endOfLateOutput(version).equals("close_notify")) {
            line.finish();
        }
        assertThat(client.awaitEnd()).isEqualTo(endOfLateOutput(version));
        assertThat(client.text() + client.awaitEnd()).matches("(?s).*answerclose_notify|.*reset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theOtherDirectionOfATunnelEndsWithANoticeWhereNothingIsLost(String version) {
        Client client = new Client(engine, version);
        Line line = upgrade(client);
        client.closeNotify();
        assertThat(line.rest()).isEmpty();
        line.finish();
        assertThat(client.awaitEnd()).isEqualTo("close_notify");
    }

    /** The destination ends first: what it sent must not look cut. */
    @Test
    void aTunnelThatTheDestinationEndsIsNotCut() {
        Client client = new Client(engine, "TLSv1.3");
        Line line = upgrade(client);
        line.send("all").finish();
        client.awaitNotified();
        assertThat(client.text()).endsWith("all");
        client.send("more").closeNotify();
        assertThat(line.rest()).isEqualTo("more");
    }

    /** The other end of a tunnel: what a destination gets that ends its own output first. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aDestinationThatEndsFirstGetsTheRestOrAReset(String version) throws IOException {
        SSLServerSocketFactory servers =
                TestCertificate.context(certificate, certificate).getServerSocketFactory();
        try (SSLServerSocket server =
                (SSLServerSocket) servers.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setEnabledProtocols(new String[] {version});
            gateway.close();
            gateway = new CoreGateway(Setup.of("127.0.0.1:" + server.getLocalPort())
                    .overTls(new ClientTls(
                            TlsEngine.open(engine),
                            new ClientTls.Settings("localhost", certificate.certificate(), null, null),
                            "")));
            try (RawClient client = new RawClient(gateway.port()).send(ASK);
                    Socket line = server.accept()) {
                readHead(line.getInputStream());
                line.getOutputStream().write(AGREE.getBytes(ISO_8859_1));
                assertThat(client.readHead().status()).isEqualTo(101);
                line.shutdownOutput();
                assertThat(client.rest()).isEmpty();
                client.send("late").finish();
                assertThat(restOf(line)).isEqualTo(endOfLateOutput(version).equals("reset") ? "reset" : "late");
            }
        }
    }

    private static void readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("after %s", head).isNotNegative();
            head.append((char) next);
        }
    }

    private static String restOf(Socket line) {
        try {
            return new String(line.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            return "reset";
        }
    }

    private Line upgrade(Client client) {
        client.send(ASK);
        Line line = origin.accept();
        line.readHead();
        line.send(AGREE);
        await().until(() -> client.text().endsWith("\r\n\r\n"));
        return line;
    }
}
