package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.tls.TlsEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that faults of clients on their own connections are not logged with a stack trace: a client could fill a disk. */
@BothTlsEngines
@Tag("long")
class BrokenConnectionsIT {

    /** Application data record of ten bytes that are not encrypted. */
    private static final byte[] NO_RECORD = {23, 3, 3, 0, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    @TempDir
    private static Path folder;

    private static TestOrigin origin;
    private static GatewayProcess gateway;
    private static SSLContext trusting;

    @Parameter
    private TlsEngine.Kind engine;

    @BeforeParameterizedClassInvocation
    static void start(TlsEngine.Kind engine) throws IOException {
        String name = "broken-" + engine;
        origin = new TestOrigin();
        trusting = TestCertificate.context(null, TestCertificate.ec(folder, name, "dns:localhost"));
        gateway = new GatewayProcess(
                        folder,
                        name,
                        "listeners:\n  - {name: web, address: \"127.0.0.1:{port}\", congestion-control: reno,"
                                + " tls: {certificates: [{certificate-file: " + name + ".crt, private-key-file: " + name
                                + ".key}]}}\n"
                                + "admin: {address: \"127.0.0.1:{admin}\"}\n"
                                + "upstreams: [{name: app, endpoints: [\"" + origin.address()
                                + "\"], congestion-control: reno}]\n"
                                + "transport: {tls-engine: " + engine.name().toLowerCase(Locale.ROOT) + "}\n"
                                + "routes: [{upstream: app, token: off}]\n")
                .awaitReady();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        gateway.close();
        origin.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "h2"})
    void invalidRecordsAreNotLoggedAsErrors(String protocol) throws IOException {
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
                SSLSocket tls = (SSLSocket) trusting.getSocketFactory().createSocket(plain, "localhost", 0, false)) {
            plain.setSoTimeout(10_000);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {protocol});
            tls.setSSLParameters(parameters);
            tls.startHandshake();
            assertThat(tls.getApplicationProtocol()).isEqualTo(protocol);
            plain.getOutputStream().write(NO_RECORD);
            assertThat(plain.getInputStream().readAllBytes())
                    .as("bytes in flight, an alert, and the close")
                    .isNotNull();
        }
        assertThat(gateway.log()).as("%s", engine).doesNotContain("ERROR").doesNotContain("Exception");
    }
}
