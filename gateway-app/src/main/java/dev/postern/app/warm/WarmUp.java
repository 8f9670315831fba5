package dev.postern.app.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import dev.postern.app.socket.LocalServer.Response;
import dev.postern.core.config.Kebab;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warms up the JIT compiler: runs the code of the request path before the first client connects.
 *
 * <p>The warmed code belongs to the process, not to the objects that run it. A second gateway in this process therefore runs all of the
 * exchanges. The second gateway is assembled like the first one, with its own event loops, meters, log, ledger, limits and upstream, and
 * ends before the first client is accepted. Its exchanges appear in no meter, log or store of the first gateway.
 */
public final class WarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final String NAME = "warm-up.yaml";
    private static final String SITE = "warm-up";
    private static final String WAY_OUT = "warm-up-out";
    private static final int FEWEST = 4;

    private final Target gateway;
    private final LocalServer origin;
    private final WarmUpIssuer issuer;
    private final LongAdder exchanges = new LongAdder();

    /** The second gateway. */
    public interface Target extends AutoCloseable {

        /** Returns the address that the listener is bound to. */
        InetSocketAddress listener(String name);

        /** Returns the number of its event loops. */
        int loops();

        /** Ends it without waiting for exchanges. */
        @Override
        void close();
    }

    /** Starts the second gateway. */
    @FunctionalInterface
    public interface Starter {

        /** Throws {@link IllegalStateException} or {@link IllegalArgumentException} with the reason when the start fails. */
        Target start(LoadedConfig config);
    }

    private WarmUp(Target gateway, LocalServer origin, WarmUpIssuer issuer) {
        this.gateway = gateway;
        this.origin = origin;
        this.issuer = issuer;
    }

    /** Runs for the configured time, or not at all if that time is zero. A failed warm-up does not prevent the start of the gateway. */
    public static void run(LoadedConfig loadedConfig, Starter starter) throws InterruptedException {
        Duration limit = loadedConfig.config().lifecycle().warmUp();
        if (limit.isZero()) {
            return;
        }
        try (LocalServer origin = LocalServer.start("postern-warm-up", WarmUpSite.conversation())) {
            WarmUpIssuer issuer = new WarmUpIssuer();
            LOG.info("warm-up: exchanges with ourselves for {} ms", limit.toMillis());
            LoadedConfig second = read(loadedConfig.config(), origin.port(), issuer.publicKey());
            try (Target gateway = starter.start(second)) {
                new WarmUp(gateway, origin, issuer).run(loadedConfig.config(), limit);
            }
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            LOG.warn("warm-up: {}; the gateway starts without", FailureText.of(e));
        }
    }

    /**
     * Reads the configuration of the second gateway. The settings that select code paths are the same as in the configuration of the
     * process.
     */
    private static LoadedConfig read(GatewayConfig config, int upstream, String key) throws IOException {
        List<String> flags = List.of(
                "transport.kind=" + Kebab.ofConstant(config.transport().kind()),
                "transport.allocator=" + Kebab.ofConstant(config.transport().allocator()),
                "transport.event-loops=" + config.transport().eventLoops(),
                "transport.congestion-control=" + config.transport().congestionControl(),
                "log.level=" + Kebab.ofConstant(config.log().level()),
                "privacy-pass.issuers=[{name: warm-up.invalid, public-keys: [\"" + key + "\"]}]",
                "upstreams.stand-in.endpoints=[\"127.0.0.1:" + upstream + "\"]",
                "forward.default.allow-ports=[" + upstream + "]");
        try (InputStream yaml = WarmUp.class.getResourceAsStream("/" + NAME)) {
            if (yaml == null) {
                throw new IOException(NAME + ": missing (expected: in the jar)");
            }
            LoadedConfig loadedConfig =
                    new ConfigReader(Map.of(), flags).read(NAME, new String(yaml.readAllBytes(), UTF_8), Path.of(""));
            if (!loadedConfig.good()) {
                throw new IllegalStateException(loadedConfig.problems().toString());
            }
            return loadedConfig;
        }
    }

    private void run(GatewayConfig config, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        BooleanSupplier more =
                () -> System.nanoTime() < end && !Thread.currentThread().isInterrupted();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < Math.max(FEWEST, 2 * gateway.loops()); i++) {
            clients.add(clientThread(config, i, new WarmUpClient(more, exchanges::add)));
        }
        clients.forEach(Thread::start);
        // Each thread ends by itself: it sends no more requests and waits two seconds at most for the last
        // response.
        for (Thread client : clients) {
            client.join();
        }
        LOG.info("warm-up: done after {} exchanges", exchanges.sum());
    }

    /** Creates a client thread. The threads use listeners of both modes if the configuration has both. */
    private Thread clientThread(GatewayConfig config, int number, WarmUpClient client) {
        List<ListenerInfo.Mode> modes = config.listeners().stream()
                .map(ListenerConfig::mode)
                .distinct()
                .sorted()
                .toList();
        boolean out = !modes.isEmpty() && modes.get(number % modes.size()) == ListenerInfo.Mode.FORWARD;
        InetSocketAddress address = gateway.listener(out ? WAY_OUT : SITE);
        Thread thread = new Thread(
                () -> {
                    try {
                        if (out) {
                            client.forward(address, origin.port());
                        } else {
                            client.site(address, issuer);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "postern-warm-up");
        thread.setDaemon(true);
        return thread;
    }

    /** Site of a warm-up, behind the gateway: the same small response to almost every request. */
    private static final class WarmUpSite {

        private static final Response SMALL = response("text/html", 600);
        private static final Response LARGE = response("application/octet-stream", 64 * 1024);

        private WarmUpSite() {}

        private static Response response(String type, int length) {
            return Response.ok(
                    "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nServer: warm-up\r\nContent-Type: " + type
                            + "\r\nCache-Control: no-store\r\n",
                    Http1Socket.bytes("w".repeat(length)));
        }

        /** Returns the conversation with the gateway, for a server on loopback. */
        static LocalServer.Conversation conversation() {
            return LocalServer.of(WarmUpSite::response);
        }

        private static Response response(Http1Head request) {
            return request.text().startsWith("GET /large") ? LARGE : SMALL;
        }
    }
}
