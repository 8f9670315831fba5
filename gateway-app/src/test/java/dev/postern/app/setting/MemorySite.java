package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.MemoryPlatform;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.reload.Reloaded;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.MemoryNames;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.MemoryTransport;
import dev.postern.core.testing.RawClient;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A {@link Site} in memory: the gateway of a configuration as a process has it, but with connections in memory and a time that the test
 * moves. Its requests are those of clients of 127.0.0.1.
 */
final class MemorySite implements AutoCloseable {

    static final InetSocketAddress ORIGIN = new InetSocketAddress("127.0.0.1", 1000);
    static final InetSocketAddress OTHER = new InetSocketAddress("127.0.0.1", 1001);
    private static final String LOCAL = "127.0.0.1";
    private static final MemoryNames.Lookup NO_NAMES =
            (name, promise) -> promise.setFailure(new UnknownHostException(name));

    final MemoryTransport network = new MemoryTransport();
    final MemoryOrigin origin = network.origin(ORIGIN);

    /** A second server, which no upstream has by itself. */
    final MemoryOrigin other = network.origin(OTHER);

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final MemoryNames.Lookup lookup;
    private final Path base;
    private Gateway gateway;

    private MemorySite(MemoryNames.Lookup lookup, Path base, String... settings) {
        this.lookup = lookup;
        this.base = base;
        this.gateway = open(settings);
    }

    /** @param settings {@code key=value} each, as the command line takes them */
    static MemorySite with(String... settings) {
        return in(Path.of(""), settings);
    }

    /** Opens a site whose relative file names are below the folder. */
    static MemorySite in(Path base, String... settings) {
        return new MemorySite(NO_NAMES, base, settings);
    }

    /** Opens a site to which that lookup gives the addresses of names. */
    static MemorySite naming(MemoryNames.Lookup lookup, List<String> settings) {
        return new MemorySite(lookup, Path.of(""), settings.toArray(String[]::new));
    }

    /** @param first the settings before the others */
    static MemorySite with(List<String> first, String... settings) {
        return with(Stream.concat(first.stream(), Stream.of(settings)).toArray(String[]::new));
    }

    /** Opens a site whose routes require tokens of the mint. */
    static MemorySite requiringTokens(String... settings) {
        return with(List.of(Site.TOKEN_REQUIRED, Site.issuer()), settings);
    }

    /** Opens a site with a forward listener instead of the reverse listener. */
    static MemorySite forwarding(String policy, String... settings) {
        return with(Site.forward(policy), settings);
    }

    private Gateway open(String... settings) {
        LoadedConfig config = read(settings);
        assertThat(config.problems()).isEmpty();
        return MemoryPlatform.start(config, network, lookup, lines::add);
    }

    private LoadedConfig read(String... settings) {
        return Site.read(base, LOCAL + ":" + ORIGIN.getPort(), settings);
    }

    /** Ends the gateway and starts another one with other settings and the same origin. */
    void restart(String... settings) {
        gateway.close();
        gateway = open(settings);
    }

    /** Changes the settings of the running gateway. */
    Reloaded reload(String... settings) {
        return gateway.reload(read(settings));
    }

    /** Changes the settings of the running gateway, which must succeed, and returns the changed keys. */
    List<String> apply(String... settings) {
        Reloaded reloaded = reload(settings);
        assertThat(reloaded.problems()).isEmpty();
        assertThat(reloaded.result()).isEqualTo(Reloaded.Result.OK);
        return reloaded.changes();
    }

    Gateway gateway() {
        return gateway;
    }

    /** Moves the time. */
    void pass(Duration time) {
        network.pass(time);
    }

    RawClient client() {
        return client("web");
    }

    RawClient client(String listener) {
        return connect(gateway.listener(listener));
    }

    /** Connects a client of HTTP/2. */
    FrameClient client2(int... settings) {
        return silent2().greet(settings);
    }

    /** Connects a client of HTTP/2, and sends nothing. */
    FrameClient silent2() {
        return FrameClient.over(socket(LOCAL, gateway.listener("web")));
    }

    /** Connects to an address of the gateway. */
    RawClient connect(InetSocketAddress address) {
        return connect(LOCAL, address);
    }

    /** @param from the client's own address */
    RawClient connect(String from, InetSocketAddress address) {
        return RawClient.over(socket(from, address));
    }

    /** Connects a client with that address to the reverse listener. */
    RawClient connect(String from) {
        return connect(from, gateway.listener("web"));
    }

    /** Connects a client of HTTP/2 with that address to the reverse listener. */
    FrameClient connect2(String from) {
        return FrameClient.over(socket(from, gateway.listener("web"))).greet();
    }

    private Socket socket(String from, InetSocketAddress address) {
        try {
            return network.connect(from, address);
        } catch (ConnectException e) {
            throw new IllegalStateException("cannot connect to " + address, e);
        }
    }

    /** Sends a request on a new connection. */
    RawClient.Response get(String path, String... fields) {
        try (RawClient client = client()) {
            return client.send(Site.request("GET", path, fields)).read();
        }
    }

    /** Sends a request to the admin address. */
    RawClient.Response admin(String path, String... fields) {
        String[] all =
                Stream.concat(Stream.of(fields), Stream.of("Host: localhost")).toArray(String[]::new);
        try (RawClient client = connect(gateway.admin())) {
            return client.send(Site.request("GET", path, all)).read();
        }
    }

    String metrics() {
        return admin("/metrics").body();
    }

    /** Returns the value of the first line of the metrics with the prefix, or -1 without such a line. */
    int meter(String prefix) {
        return Site.meter(metrics(), prefix);
    }

    /** Returns the next line of the exchange log. */
    String line() throws InterruptedException {
        String line = lines.poll(30, TimeUnit.SECONDS);
        assertThat(line).as("a line of the exchange log").isNotNull();
        return line;
    }

    /** Returns the challenge of a refused request. */
    String challenge() {
        RawClient.Response refused = get("/");
        assertThat(refused.status()).isEqualTo(401);
        return refused.field("WWW-Authenticate");
    }

    /** Returns a new token as the value of an Authorization field. */
    String token() {
        return Site.MINT.response(challenge());
    }

    /** Returns the status of a request with the token. */
    int redeem(String token) {
        return get("/", "Authorization: " + token).status();
    }

    @Override
    public void close() {
        gateway.close();
    }
}
