package dev.postern.app.authorize;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;

/** Proxy in another process, with its configuration on the page. */
final class FrontProxy implements AutoCloseable {

    private final ProxyKind kind;
    private final ProxyPorts ports;
    private final Path folder;
    private final TestCertificate certificate;
    private final Process process;

    /** @param folder an empty one for its files */
    FrontProxy(ProxyKind kind, ProxyPorts ports, Path folder) throws IOException {
        this.kind = kind;
        this.ports = ports;
        this.folder = folder;
        certificate = TestCertificate.ec(folder, "made", "dns:site.example");
        Files.copy(certificate.certificate(), folder.resolve("site.crt"));
        Files.copy(certificate.key(), folder.resolve("site.key"));
        ProxyPage.read().write(kind.group(), ports, folder);
        if (kind == ProxyKind.NGINX) {
            useOwnFolders(folder.resolve("nginx.conf"));
        }
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(kind.program().toString()), kind.arguments().stream())
                                .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile());
        builder.environment().put("XDG_CONFIG_HOME", folder.toString());
        builder.environment().put("XDG_DATA_HOME", folder.toString());
        process = builder.start();
        awaitRoutes();
    }

    /** Lets nginx keep its temporary files here: those of the system belong to root. */
    private static void useOwnFolders(Path file) throws IOException {
        StringBuilder text = new StringBuilder("http {\n");
        for (String name : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            text.append("  ").append(name).append("_temp_path ").append(name).append(";\n");
        }
        Files.writeString(file, Files.readString(file).replaceFirst("http \\{\n", text.toString()));
    }

    /** Waits until it serves; Traefik listens before it knows its routes. */
    private void awaitRoutes() {
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .pollInterval(Duration.ofMillis(10))
                .failFast(() -> {
                    if (!process.isAlive()) {
                        throw new AssertionError(kind + " ended: " + output());
                    }
                })
                .ignoreExceptions()
                .until(() -> {
                    try (RawClient client = new RawClient(ports.plain())) {
                        return !client.get("/.postern/room/none").body().equals("404 page not found\n");
                    }
                });
    }

    int port() {
        return ports.plain();
    }

    /** Sends a GET over HTTP/2 by curl, and returns the response. */
    RawClient.Response http2(String path, String... fields) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("curl", "-s", "-i", "--max-time", "30", "-H", "Host: site.example"));
        for (String field : fields) {
            command.addAll(List.of("-H", field));
        }
        if (kind.framesNeedTls()) {
            command.addAll(List.of("--http2", "-k", "https://127.0.0.1:" + ports.tls() + path));
        } else {
            command.addAll(List.of("--http2-prior-knowledge", "http://127.0.0.1:" + ports.plain() + path));
        }
        command.set(0, ServerProcess.find("curl").toString());
        Process curl = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(curl.getInputStream().readAllBytes(), ISO_8859_1);
        assertThat(curl.waitFor()).as(text).isZero();
        int body = text.indexOf("\r\n\r\n") + 4;
        return new RawClient.Response(
                Integer.parseInt(text.substring(7, 10)), text.substring(0, body), text.substring(body));
    }

    /** Connects a client of HTTP/1.1 with TLS. */
    RawClient tls() throws IOException {
        return RawClient.over(secured("http/1.1"));
    }

    /** Connects a client of HTTP/2, and sends nothing. */
    FrameClient frames() throws IOException {
        return kind.framesNeedTls() ? FrameClient.over(secured("h2")) : FrameClient.silent(ports.plain());
    }

    private SSLSocket secured(String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) TestCertificate.context(null, certificate)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), ports.tls());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** Returns what the proxy has printed, and its access log. */
    String output() {
        try {
            Path log = folder.resolve("access.log");
            return Files.readString(folder.resolve("output.log")) + (Files.exists(log) ? Files.readString(log) : "");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
