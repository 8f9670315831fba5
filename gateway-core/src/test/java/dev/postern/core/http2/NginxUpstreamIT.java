package dev.postern.core.http2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.TlsEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests a third-party server: nginx by prior knowledge and by ALPN, with curl and the clients of these tests. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class NginxUpstreamIT {

    @Parameter
    private TlsEngine.Kind engine;

    @TempDir
    private Path folder;

    private @Nullable ServerProcess nginx;

    @AfterEach
    void stop() {
        if (nginx != null) {
            nginx.close();
        }
    }

    /** @param listen what follows the port in the directive {@code listen}, and further directives of the server */
    private String start(String listen) throws IOException {
        int port = ServerProcess.freePort();
        Path file = folder.resolve("nginx.conf");
        Files.writeString(file, """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                error_log %1$s/error.log;
                events {}
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  keepalive_requests 7;
                  server {
                    listen 127.0.0.1:%2$d %3$s
                    location / { return 200 "$request_method $server_protocol $http_host $request_uri\\n"; }
                    location /files/ { alias %1$s/; }
                  }
                }
                """.formatted(folder, port, listen));
        ServerProcess server = new ServerProcess(
                "nginx", port, "-e", folder + "/error.log", "-p", folder.toString(), "-c", file.toString());
        nginx = server;
        server.start();
        return "localhost:" + port;
    }

    @Test
    void respondsByPriorKnowledge() throws Exception {
        Files.writeString(folder.resolve("large"), "0123456789".repeat(200_000));
        try (CoreGateway gateway = new CoreGateway(Setup.of(start("http2;")).toHttp2(null));
                FrameClient client = FrameClient.connect(gateway.port())) {
            for (int stream = 1; stream < 101; stream += 2) {
                client.get(stream, "/" + stream);
            }
            for (int stream = 1; stream < 101; stream += 2) {
                // nginx sends GOAWAY after each seventh request.
                assertThat(client.response(stream).body()).isEqualTo("GET HTTP/2.0 site.example /" + stream + "\n");
            }
            try (RawClient older = new RawClient(gateway.port())) {
                assertThat(older.get("/files/large").body()).hasSize(2_000_000);
                assertThat(older.get("/files/none").status()).isEqualTo(404);
                older.send("POST /files/large HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody");
                assertThat(older.read().status()).isEqualTo(405);
                assertThat(curl(gateway, "-d", "x=1")).isEqualTo("POST HTTP/2.0 localhost:" + gateway.port() + " /c\n");
                assertThat(curl(gateway, "-I")).startsWith("HTTP/2 200").contains("via: 2.0 postern");
            }
        }
    }

    @Test
    void respondsByAlpn() throws Exception {
        TestCertificate certificate = TestCertificate.ec(folder, "site", "dns:localhost");
        String address = start("ssl http2; ssl_certificate %s; ssl_certificate_key %s;"
                .formatted(certificate.certificate(), certificate.key()));
        ClientTls tls = new ClientTls(
                TlsEngine.open(engine), new ClientTls.Settings(null, certificate.certificate(), null, null), "h2");
        try (CoreGateway gateway = new CoreGateway(Setup.of(address).toHttp2(tls));
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/tls").body()).isEqualTo("GET HTTP/2.0 site.example /tls\n");
        }
    }

    @Test
    void closesTheConnectionWithoutAgreement() throws Exception {
        TestCertificate certificate = TestCertificate.ec(folder, "site", "dns:localhost");
        String address = start("ssl; ssl_certificate %s; ssl_certificate_key %s;"
                .formatted(certificate.certificate(), certificate.key()));
        ClientTls tls = new ClientTls(
                TlsEngine.open(engine), new ClientTls.Settings(null, certificate.certificate(), null, null), "h2");
        try (CoreGateway gateway = new CoreGateway(Setup.of(address).toHttp2(tls));
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/tls").body()).contains("upstream-tls");
        }
    }

    private static String curl(CoreGateway gateway, String... more) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(ServerProcess.find("curl").toString(), "-s", "-m", "10", "--http2-prior-knowledge");
        builder.command().addAll(java.util.List.of(more));
        builder.command().add("http://localhost:" + gateway.port() + "/c");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }
}
