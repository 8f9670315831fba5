package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that send broken handshakes, or never finish them. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class BrokenHandshakesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int CLIENTS = 150;

    @TempDir
    private static Path folder;

    private static SSLContext trusting;
    private static TestCertificate site;

    @Parameter
    private TlsEngine.Kind engine;

    private final MemoryGateway gateway = new MemoryGateway();
    private MemoryListener listener;

    @BeforeAll
    static void certificate() {
        site = TestCertificate.ec(folder, "site", "dns:site.example");
        trusting = TestCertificate.context(null, site);
    }

    @BeforeEach
    void listen() {
        listener = gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(List.of(new KeyPairFiles(site.certificate(), site.key())), null, "TLSv1.2"),
                List.of("h2", "http/1.1"),
                TIMEOUT));
    }

    @BeforeEach
    void serve() {
        gateway.origin();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    /** Returns the first record of a client. */
    private static byte[] hello() {
        SSLEngine client = trusting.createSSLEngine("site.example", 443);
        client.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        try {
            client.wrap(ByteBuffer.allocate(0), record);
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
        return Arrays.copyOf(record.array(), record.position());
    }

    private RawClient sending(byte[] bytes) {
        return RawClient.over(gateway.connect(listener)).send(new String(bytes, ISO_8859_1));
    }

    private void assertServes() throws IOException {
        try (SSLSocket socket = TestTls.over(gateway.connect(listener), trusting)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(gateway.ended()).hasSize(1);
    }

    @Test
    void truncatedHellosEnd() throws IOException {
        byte[] hello = hello();
        for (int length = 1; length < hello.length; length += 17) {
            try (RawClient client = sending(Arrays.copyOf(hello, length)).finish()) {
                client.rest();
            }
        }
        assertThat(listener.connections()).isZero();
        assertServes();
    }

    @Test
    void handshakesThatNeverContinueTimeOut() throws IOException {
        byte[] hello = hello();
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            // A third stops within the hello, a third never answers the server's, a third sends nothing.
            int length = i % 3 == 0 ? hello.length / 2 : i % 3 == 1 ? hello.length : 0;
            clients.add(sending(Arrays.copyOf(hello, length)));
        }
        assertServes();
        assertThat(listener.connections()).isEqualTo(CLIENTS);
        gateway.pass(TIMEOUT);
        assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isEqualTo(CLIENTS);
        assertThat(listener.connections()).isZero();
        clients.forEach(RawClient::close);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "150303ffff", // an alert longer than any record
                "16030300020100", // an empty hello
                "160303000401ffffff", // a hello longer than any message
                "1603030000160303000016030300001603030000160303000016030300001603030000", // empty records
                "140303000101", // ChangeCipherSpec first
                "170303000568656c6c6f", // data first
                "15030300020228", // a fatal alert first
                "160000000401000000", // version 0.0
                "800001", // SSL 2
                "00",
            })
    void recordsThatBeginNoHandshakeEnd(String hex) throws IOException {
        try (RawClient client = sending(HexFormat.of().parseHex(hex))) {
            gateway.pass(TIMEOUT);
            client.rest();
        }
        assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isEqualTo(1);
        assertServes();
    }

    @Test
    void changedHellosEnd() throws IOException {
        byte[] hello = hello();
        Random random = new Random(22);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            byte[] changed = hello.clone();
            for (int change = 0; change <= random.nextInt(4); change++) {
                // Not the first byte, which tells TLS from other protocols.
                changed[1 + random.nextInt(hello.length - 1)] = (byte) random.nextInt(256);
            }
            clients.add(sending(changed));
        }
        gateway.pass(TIMEOUT);
        assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isEqualTo(CLIENTS);
        assertThat(listener.connections()).isZero();
        clients.forEach(RawClient::close);
        assertServes();
    }
}
