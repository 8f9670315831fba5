package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Site behind a proxy that asks a gateway, both with their configurations on the page. */
public final class AskedSite implements AutoCloseable {

    /** The setting of routes that require tokens, except for {@code /open}. */
    static final String TOKENS =
            "routes=[{path: /, upstream: none, token: required}, {path: /open, upstream: none, token: off}]";

    /** Address of the client, which is no trusted proxy. */
    private static final String CLIENT = "127.0.0.9";

    final ProxyKind kind;
    final TestOrigin origin = new TestOrigin();
    final AskedGateway gateway;
    final FrontProxy proxy;
    final ProxyPorts ports;

    private AskedSite(ProxyKind kind, Path folder, int site, String... settings) throws IOException {
        this.kind = kind;
        ports = ProxyPorts.before(site == 0 ? origin.port() : site);
        gateway = new AskedGateway(kind.group(), ports, folder, settings);
        proxy = new FrontProxy(kind, ports, Files.createDirectories(folder.resolve(kind.group())));
    }

    /**
     * Starts all three.
     *
     * @param folder an empty one
     * @param settings of the gateway, {@code key=value} each, in place of those on the page
     */
    static AskedSite behind(ProxyKind kind, Path folder, String... settings) throws IOException {
        return new AskedSite(kind, folder, 0, settings);
    }

    /** Starts proxy and gateway before a site of another kind, at that port. */
    public static AskedSite before(int site, ProxyKind kind, Path folder, String... settings) throws IOException {
        return new AskedSite(kind, folder, site, settings);
    }

    /** Returns the port of the proxy. */
    public int port() {
        return proxy.port();
    }

    /** Connects a client of HTTP/2 to the proxy, which sends nothing yet. */
    public FrameClient frames() {
        try {
            return proxy.frames();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the scheme in which clients of HTTP/2 connect. */
    public String frameScheme() {
        return kind.framesNeedTls() ? "https" : "http";
    }

    RawClient client() {
        return new RawClient(CLIENT, proxy.port());
    }

    static String request(String method, String path, String... fields) {
        return method + " " + path + " HTTP/1.1\r\nHost: site.example\r\nUser-Agent: tests\r\n"
                + String.join("", Stream.of(fields).map(field -> field + "\r\n").toList()) + "\r\n";
    }

    /** Sends a request on a new connection. */
    RawClient.Response send(String request) {
        try (RawClient client = client()) {
            return client.send(request).read();
        }
    }

    public RawClient.Response get(String path, String... fields) {
        return send(request("GET", path, fields));
    }

    /** Returns a new token as the field of a request. */
    String token() {
        return token(get("/"));
    }

    /** Returns a new token for the challenge of a refusal as the field of a request. */
    public static String token(RawClient.Response refused) {
        assertThat(refused.status()).isEqualTo(401);
        return "Authorization: " + AskedGateway.MINT.response(refused.field("WWW-Authenticate"));
    }

    /** Returns the values of a field in a head. */
    static List<String> all(String head, String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(line -> line.substring(prefix.length()).trim())
                .toList();
    }

    /** Returns the cookies that a response sets, as the field of a request. */
    static String cookies(RawClient.Response response) {
        return "Cookie: "
                + String.join(
                        "; ",
                        all(response.head(), "Set-Cookie").stream()
                                .map(set -> set.split(";", 2)[0])
                                .toList());
    }

    @Override
    public void close() {
        proxy.close();
        gateway.close();
        origin.close();
    }
}
