package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests the requirements at the start of an HTTP/2 connection over TLS 1.2 (RFC 9113 section 9.2.2). */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class Http2OverTls12Test {

    @Parameter
    private TlsEngine.Kind engine;

    @Test
    void servesOverTls12(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.rsa(folder, "site", "dns:localhost");
        ServerTls tls = new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(
                        List.of(new KeyPairFiles(certificate.certificate(), certificate.key())), null, "TLSv1.2"),
                List.of("h2", "http/1.1"),
                Duration.ofSeconds(10));
        try (MemoryGateway gateway = new MemoryGateway()) {
            gateway.origin();
            SSLSocket socket =
                    TestTls.over(gateway.connect(gateway.listen(tls)), TestCertificate.context(null, certificate));
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {"TLSv1.2"});
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            try (FrameClient client = FrameClient.over(socket).greet()) {
                String[] ask = FrameClient.request("GET", "/");
                ask[3] = "https";
                assertThat(client.headers(1, true, ask).outcome(1)).isEqualTo("200");
            }
        }
    }
}
