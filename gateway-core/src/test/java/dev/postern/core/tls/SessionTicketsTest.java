package dev.postern.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.certificate.KeyPairFiles;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which TLS sessions of a client replicas with key rings resume: with BoringSSL, unless a test names the JDK's engine. */
@ParameterizedClass
@ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
@ExtendWith(LeakExtension.class)
class SessionTicketsTest {

    private static final String OLD = KeyRing.newLine();
    private static final String NEW = KeyRing.newLine();
    private static final int MAX_FLIGHTS = 8;

    @TempDir
    private static Path folder;

    private static TestCertificate site;
    private static TestCertificate renewed;

    @Parameter
    private String version;

    private SslContext client;

    @BeforeAll
    static void certificates() {
        site = TestCertificate.ec(folder, "site", "dns:site.example");
        renewed = TestCertificate.ec(folder, "renewed", "dns:site.example");
    }

    @BeforeEach
    void client() throws SSLException {
        client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols(version)
                .trustManager(site.x509(), renewed.x509())
                .build();
    }

    private static ServerTls replica(String... ring) {
        return replica(TlsEngine.Kind.BORINGSSL, site, null, ring);
    }

    private static ServerTls replica(
            TlsEngine.Kind kind, TestCertificate certificate, @Nullable Path clientCa, String... ring) {
        return new ServerTls(
                environment(kind, () -> KeyRing.of(List.of(ring))),
                settings(certificate, clientCa),
                List.of(),
                Duration.ofMinutes(1));
    }

    private static TlsEnvironment environment(TlsEngine.Kind kind, Supplier<KeyRing> ring) {
        return new TlsEnvironment(TlsEngine.open(kind), ring, InstantSource.system());
    }

    private static ServerTls.Settings settings(TestCertificate certificate, @Nullable Path clientCa) {
        return new ServerTls.Settings(
                List.of(new KeyPairFiles(certificate.certificate(), certificate.key())), clientCa, "TLSv1.2");
    }

    /** Connects as to one site, whichever replica serves it; returns when the session began. */
    private long session(ServerTls replica) {
        ServerNameHandler accepted = replica.handler(ByteBufAllocator.DEFAULT);
        SslHandler connected = client.newHandler(ByteBufAllocator.DEFAULT, "site.example", 443);
        EmbeddedChannel server = new EmbeddedChannel(accepted);
        EmbeddedChannel browser = new EmbeddedChannel(connected);
        try {
            for (int i = 0; i < MAX_FLIGHTS && !accepted.handshake().isDone(); i++) {
                move(browser, server);
                move(server, browser);
            }
            if (!accepted.handshake().isSuccess()) {
                throw new IllegalStateException(
                        "no handshake", accepted.handshake().cause());
            }
            // Tickets of TLS 1.3 precede the first record.
            server.writeOutbound(Unpooled.wrappedBuffer(new byte[1]));
            move(server, browser);
            return connected.engine().getSession().getCreationTime();
        } finally {
            browser.finishAndReleaseAll();
            server.finishAndReleaseAll();
            awaitTick();
        }
    }

    /** Waits until the clock shows another time, so that no two sessions begin at the same. */
    private static void awaitTick() {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() == now) {
            Thread.onSpinWait();
        }
    }

    private static void move(EmbeddedChannel from, EmbeddedChannel to) {
        for (ByteBuf record = from.readOutbound(); record != null; record = from.readOutbound()) {
            to.writeInbound(record);
        }
    }

    @Test
    void replicasResumeEachOthersSessions() {
        ServerTls one = replica(OLD);
        ServerTls other = replica(OLD);
        long begun = session(one);
        assertThat(session(other)).isEqualTo(begun);
        assertThat(session(one)).isEqualTo(begun);
    }

    @Test
    void theKeysRotateWithTheRing() throws SSLException {
        ServerTls before = replica(OLD);
        long begun = session(before);
        assertThat(session(replica(OLD, NEW))).as("a line is appended").isEqualTo(begun);
        assertThat(session(before)).as("still sealed with the first line").isEqualTo(begun);
        assertThat(session(replica(NEW, OLD)))
                .as("the line is moved to the top")
                .isEqualTo(begun);
        // Another client, since that of newer JDKs keeps several tickets and presents the older ones first.
        client();
        long later = session(replica(NEW, OLD));
        assertThat(later).isGreaterThan(begun);
        assertThat(session(replica(NEW))).as("sealed with the new first line").isEqualTo(later);
    }

    @Test
    void theKeysRotateInAProcessThatServes() throws SSLException {
        AtomicReference<KeyRing> ring = new AtomicReference<>(KeyRing.of(List.of(OLD)));
        ServerTls listener = new ServerTls(
                environment(TlsEngine.Kind.BORINGSSL, ring::get),
                settings(site, null),
                List.of(),
                Duration.ofMinutes(1));
        long begun = session(listener);
        ring.set(KeyRing.of(List.of(NEW, OLD)));
        listener.rekey();
        assertThat(session(listener)).as("sealed with the secret of before").isEqualTo(begun);
        client();
        long later = session(listener);
        assertThat(session(replica(NEW))).as("sealed with the new secret").isEqualTo(later);
        ring.set(KeyRing.of(List.of(OLD)));
        listener.rekey();
        assertThat(session(listener)).as("the new secret has left the ring").isGreaterThan(later);
    }

    @Test
    void aTicketOfAKeyThatHasLeftTheRingGivesAFullHandshake() {
        long begun = session(replica(OLD));
        assertThat(session(replica(NEW))).isGreaterThan(begun);
    }

    @Test
    void aTicketOfAnotherCertificateGivesAFullHandshake() {
        long begun = session(replica(OLD));
        assertThat(session(replica(TlsEngine.Kind.BORINGSSL, renewed, null, OLD)))
                .isGreaterThan(begun);
    }

    /** CVE-2025-23419. */
    @Test
    void aTicketDoesNotReplaceTheClientsCertificate() {
        session(replica(OLD));
        ServerTls requiring = replica(TlsEngine.Kind.BORINGSSL, site, renewed.certificate(), OLD);
        assertThatThrownBy(() -> session(requiring)).isNotNull();
    }

    @Test
    void ticketsOfTheJdkHaveKeysOfTheProcess() {
        ServerTls one = replica(TlsEngine.Kind.JDK, site, null, OLD);
        long begun = session(one);
        assertThat(session(one)).isEqualTo(begun);
        assertThat(session(replica(TlsEngine.Kind.JDK, site, null, OLD))).isGreaterThan(begun);
    }
}
