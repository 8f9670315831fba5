package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.StoreServer;
import dev.postern.core.config.HostPort;
import dev.postern.core.rate.OutageLog;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers of a ledger: the handles of those to which spends are sent and, if those are routers, the checks of the servers behind them. */
final class MemcachedServers {

    private static final Logger LOG = LoggerFactory.getLogger(MemcachedLedger.class);

    private final List<List<MemcachedServer>> handles = new ArrayList<>();
    private final List<IncarnationCheck> behindRouters = new ArrayList<>();
    private final MemcachedConnections connections;
    private final MemcachedEncoding encoding;
    private final KetamaRing ring;
    private final @Nullable ServerAvailability availability;
    private final EpochReplicator replicator;
    private final List<OutageLog> outages = new ArrayList<>();

    /** @param leavesOut whether an unavailable server is left out */
    MemcachedServers(
            Memcached settings,
            StoreResources resources,
            MemcachedEncoding encoding,
            MemcachedConnections connections,
            boolean leavesOut) {
        this.connections = connections;
        this.encoding = encoding;
        // Sorted, so that gateways that list the servers in another order compute the same epoch.
        List<String> names =
                settings.servers().stream().map(HostPort::toString).sorted().toList();
        List<String> statsNames = settings.statsServers().stream()
                .map(HostPort::toString)
                .sorted()
                .toList();
        this.ring = new KetamaRing(names);
        for (int i = 0; i < statsNames.size(); i++) {
            MemcachedServer.Server server = server(statsNames.get(i), names.size() + i, true);
            behindRouters.add(new IncarnationCheck(
                    new MemcachedServer(
                            server, resources, encoding, MemcachedServer.SpendCheck.NONE, connections.opener(0)),
                    resources.state(),
                    encoding,
                    resources.scheduler().ticker()));
        }
        MemcachedServer.SpendCheck all =
                statsNames.isEmpty() ? MemcachedServer.SpendCheck.NONE : new AllServersCheck(behindRouters);
        for (int i = 0; i < names.size(); i++) {
            MemcachedServer.Server server = server(names.get(i), i, statsNames.isEmpty());
            List<MemcachedServer> ofServer = new ArrayList<>();
            for (int j = 0; j < connections.count(); j++) {
                ofServer.add(new MemcachedServer(server, resources, encoding, all, connections.opener(j)));
            }
            handles.add(ofServer);
            resources
                    .meters()
                    .breakers(
                            server.name(),
                            ofServer.stream().map(StoreServer::breaker).toList());
        }
        this.availability = leavesOut
                ? new ServerAvailability(
                        resources.state(), names.size(), resources.scheduler().nanos())
                : null;
        this.replicator = new EpochReplicator(
                Stream.concat(names.stream(), statsNames.stream()).toList(), resources, encoding);
        Stream.concat(names.stream(), statsNames.stream())
                .map(name -> new OutageLog(
                        "memcached " + name,
                        LOG::warn,
                        LOG::info,
                        resources.scheduler().unpaused()))
                .forEach(outages::add);
        resources.meters().inFlight(this::inFlight);
    }

    /** Returns the number of servers with an epoch marker of their own. */
    static int marked(Memcached settings) {
        return settings.servers().size() + settings.statsServers().size();
    }

    /** Returns the index of the server that stores the key. */
    int owner(byte[] key) {
        return handles.size() == 1 ? 0 : ring.owner(encoding.of(key));
    }

    /** Returns the servers of a key, as {@link KetamaRing#owners}. */
    int[] owners(byte[] key, int count) {
        return ring.owners(encoding.of(key), count);
    }

    /** Returns the handle of the server for a token and a loop. */
    MemcachedServer handle(int server, byte[] key, EventLoop loop) {
        return handles.get(server).get(connections.of(key, loop));
    }

    LedgerHealth health() {
        Map<String, String> stores = new TreeMap<>();
        boolean healthy = true;
        for (MemcachedServer memcachedServer : all()) {
            boolean ready = memcachedServer.ready();
            healthy &= ready;
            if (!ready || !stores.containsKey(memcachedServer.name())) {
                stores.put(memcachedServer.name(), memcachedServer.state());
            }
        }
        return new LedgerHealth(healthy, stores);
    }

    List<StoreConnectionInfo> connectionInfo() {
        return all().stream()
                .map(MemcachedServer::info)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Calls {@link MemcachedServer#maintain} of all handles, and updates availability, epoch replication and outage logs. */
    void maintain(long now) {
        List<@Nullable MemcachedConnection> verified = new ArrayList<>();
        for (int i = 0; i < handles.size(); i++) {
            handles.get(i).forEach(memcachedServer -> memcachedServer.maintain(now));
            MemcachedServer first = handles.get(i).get(0);
            verified.add(first.readyConnection());
            if (availability != null) {
                availability.report(i, first.name(), verified.get(i) != null, now);
            }
        }
        for (IncarnationCheck check : behindRouters) {
            check.server().maintain(now);
            verified.add(check.server().readyConnection());
        }
        replicator.maintain(verified);
        for (int i = 0; i < outages.size(); i++) {
            report(
                    outages.get(i),
                    i < handles.size()
                            ? handles.get(i)
                            : List.of(behindRouters.get(i - handles.size()).server()));
        }
    }

    /** Logs outages. A server is available when all connections to the server are. */
    private static void report(OutageLog outage, List<MemcachedServer> connections) {
        List<MemcachedServer> unavailable = connections.stream()
                .filter(memcachedServer -> !memcachedServer.ready())
                .toList();
        if (unavailable.isEmpty()) {
            outage.available();
            return;
        }
        MemcachedServer first = unavailable.get(0);
        String which = unavailable.size() == connections.size()
                ? ""
                : unavailable.size() + " of " + connections.size() + " connections: ";
        outage.unavailable(which + first.contact(), first.explained());
    }

    void close() {
        all().forEach(MemcachedServer::close);
    }

    private List<MemcachedServer> all() {
        return Stream.concat(
                        handles.stream().flatMap(List::stream),
                        behindRouters.stream().map(IncarnationCheck::server))
                .toList();
    }

    private int inFlight() {
        return handles.stream()
                .flatMap(List::stream)
                .mapToInt(MemcachedServer::inFlight)
                .sum();
    }

    private static MemcachedServer.Server server(String name, int index, boolean direct) {
        HostPort address = HostPort.of(name);
        return new MemcachedServer.Server(name, address.host(), address.port(), index, direct);
    }

    /** Check of all servers behind a router: a client cannot know which of them stored a spend, so all must be verified. Thread-safe. */
    record AllServersCheck(List<IncarnationCheck> servers) implements MemcachedServer.SpendCheck {

        @Override
        public void verify(PendingAdd add) {
            AtomicInteger missing = new AtomicInteger(servers.size());
            AtomicBoolean refused = new AtomicBoolean();
            for (IncarnationCheck check : servers) {
                check.verify(add.redemption(), good -> {
                    if (!good) {
                        refused.set(true);
                    }
                    if (missing.decrementAndGet() == 0) {
                        add.verified(!refused.get());
                    }
                });
            }
        }
    }
}
