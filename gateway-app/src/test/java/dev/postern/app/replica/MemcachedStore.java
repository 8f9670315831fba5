package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Memcached as a store: one small server, several with two copies of each spend, or two behind a router. */
final class MemcachedStore implements RacedStore {

    private static final int MEBIBYTES = 4;

    /** Size of a token's item with key, value and overhead of memcached. */
    private static final int ITEM = 96;

    private static final int JUNK = 3 * (MEBIBYTES << 20) / ITEM;
    private static final int AT_ONCE = 1_000;

    private final String client;
    private final int copies;
    private final List<ServerProcess> servers;
    private final int routerPort;
    private @Nullable ServerProcess router;

    private MemcachedStore(String client, int servers, int copies, int routerPort) {
        this.client = client;
        this.copies = copies;
        this.servers = Stream.generate(MemcachedStore::server).limit(servers).toList();
        this.routerPort = routerPort;
    }

    static RacedStore one(String client) {
        return new MemcachedStore(client, 1, 1, 0);
    }

    static RacedStore twoCopies(String client, int servers) {
        return new MemcachedStore(client, servers, 2, 0);
    }

    static RacedStore routed(String client) {
        return new MemcachedStore(client, 2, 1, ServerProcess.freePort());
    }

    private static ServerProcess server() {
        return ServerProcess.memcached(MEBIBYTES);
    }

    @Override
    public String ledger() {
        String all = servers.stream().map(s -> "\"" + s.address() + "\"").collect(Collectors.joining(", ", "[", "]"));
        String keys = routerPort == 0
                ? "servers: " + all
                : "servers: [\"127.0.0.1:" + routerPort + "\"], stats-servers: " + all;
        return "{store: memcached, deadline: " + DEADLINE + ", memcached: {client: " + client + ", copies: " + copies
                + ", " + keys + "}}";
    }

    @Override
    public void start(Path folder) throws IOException {
        servers.forEach(ServerProcess::start);
        if (routerPort != 0) {
            router = router(folder);
            router.start();
        }
    }

    private ServerProcess router(Path folder) throws IOException {
        String addresses =
                servers.stream().map(s -> "    - " + s.address() + ":1\n").collect(Collectors.joining());
        Path configuration = Files.writeString(
                folder.resolve("nutcracker-" + routerPort + ".yml"), """
                pool:
                  listen: 127.0.0.1:%d
                  hash: fnv1a_64
                  distribution: ketama
                  auto_eject_hosts: false
                  timeout: 400
                  servers:
                %s""".formatted(routerPort, addresses));
        return ServerProcess.nutcracker(routerPort, configuration);
    }

    @Override
    public ServerProcess victim() {
        return servers.get(servers.size() - 1);
    }

    @Override
    public boolean sparedFrom(Fault fault) {
        return copies > 1 && fault.lasts() && fault.disconnects();
    }

    /** Uses items of the size of tokens, since memcached has separate slabs per size. */
    @Override
    public void fill() {
        try (RawClient junk = new RawClient(victim().port())) {
            send(junk, i -> "set " + key(i) + " 0 0 16 noreply\r\n0123456789abcdef\r\n");
            String response = junk.send("set " + key(JUNK) + " 0 0 16\r\n0123456789abcdef\r\n")
                    .readBytes(8);
            if (!response.equals("SERVER_E")) {
                throw new IllegalStateException(response + " (expected: SERVER_ERROR, out of memory)");
            }
        }
    }

    @Override
    public void clear() {
        try (RawClient junk = new RawClient(victim().port())) {
            send(junk, i -> "delete " + key(i) + " noreply\r\n");
            junk.send("delete " + key(JUNK) + "\r\n").readBytes(9);
        }
    }

    private static void send(RawClient junk, IntFunction<String> command) {
        StringBuilder commands = new StringBuilder();
        for (int i = 0; i < JUNK; i++) {
            commands.append(command.apply(i));
            if ((i + 1) % AT_ONCE == 0 || i + 1 == JUNK) {
                junk.send(commands.toString());
                commands.setLength(0);
            }
        }
    }

    private static String key(int number) {
        return String.format(Locale.ROOT, "junk:1:%022d", number);
    }

    @Override
    public void close() {
        if (router != null) {
            router.close();
        }
        servers.forEach(ServerProcess::close);
    }

    @Override
    public String toString() {
        String which = copies > 1 ? copies + " copies on " + servers.size() : routerPort != 0 ? "router" : "one";
        return "memcached, " + which + ", " + client;
    }
}
