package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.core.config.HostPort;
import dev.postern.core.rate.OutageLog;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers of a ledger: the handles of those to which spends are sent and, if those are routers, the checks of the servers behind them. */
final class MemcachedServers {

    private static final Logger LOG = LoggerFactory.getLogger(MemcachedLedger.class);

    private final List<List<MemcachedServer>> links = new ArrayList<>();
    private final List<IncarnationCheck> witnesses = new ArrayList<>();
    private final MemcachedConnections connections;
    private final MemcachedEncoding keys;
    private final KetamaRing ring;
    private final @Nullable ServerAvailability availability;
    private final EpochReplicator replicator;
    private final List<OutageLog> outages = new ArrayList<>();

    /** @param leavesOut whether an unavailable server is left out */
    MemcachedServers(
            Memcached settings, MemcachedServer.Tools tools, MemcachedConnections connections, boolean leavesOut) {
        this.connections = connections;
        this.keys = tools.keys();
        // Sorted, so that gateways that list the servers in another order compute the same epoch.
        List<String> asked =
                settings.servers().stream().map(HostPort::toString).sorted().toList();
        List<String> behind = settings.statsServers().stream()
                .map(HostPort::toString)
                .sorted()
                .toList();
        this.ring = new KetamaRing(asked);
        for (int i = 0; i < behind.size(); i++) {
            MemcachedServer.Server server = server(behind.get(i), asked.size() + i, true);
            witnesses.add(new IncarnationCheck(
                    new MemcachedServer(server, tools, MemcachedServer.Witnesses.NONE, connections.opener(0)), tools));
        }
        MemcachedServer.Witnesses all =
                behind.isEmpty() ? MemcachedServer.Witnesses.NONE : new AllServersCheck(witnesses);
        for (int i = 0; i < asked.size(); i++) {
            MemcachedServer.Server server = server(asked.get(i), i, behind.isEmpty());
            List<MemcachedServer> ofServer = new ArrayList<>();
            for (int j = 0; j < connections.count(); j++) {
                ofServer.add(new MemcachedServer(server, tools, all, connections.opener(j)));
            }
            links.add(ofServer);
            tools.meters()
                    .breakers(
                            server.name(),
                            ofServer.stream().map(MemcachedServer::breaker).toList());
        }
        this.availability = leavesOut
                ? new ServerAvailability(
                        tools.state(), asked.size(), tools.scheduler().nanos())
                : null;
        this.replicator = new EpochReplicator(
                Stream.concat(asked.stream(), behind.stream()).toList(), tools);
        Stream.concat(asked.stream(), behind.stream())
                .map(name -> new OutageLog("memcached " + name, LOG::warn, LOG::info, tools.scheduler()::nanos))
                .forEach(outages::add);
        tools.meters().inFlight(this::inFlight);
    }

    /** Returns the number of servers with an epoch marker of their own. */
    static int marked(Memcached settings) {
        return settings.servers().size() + settings.statsServers().size();
    }

    /** Returns the index of the server that stores the key. */
    int owner(byte[] key) {
        return links.size() == 1 ? 0 : ring.owner(keys.of(key));
    }

    /** Returns the servers of a key, as {@link KetamaRing#owners}. */
    int[] owners(byte[] key, int count) {
        return ring.owners(keys.of(key), count);
    }

    /** Returns the handle of the server for a token and a loop. */
    MemcachedServer link(int server, byte[] key, EventLoop loop) {
        return links.get(server).get(connections.of(key, loop));
    }

    LedgerHealth health() {
        Map<String, String> stores = new TreeMap<>();
        boolean healthy = true;
        for (MemcachedServer memcachedServer : all()) {
            boolean ready = memcachedServer.readyPipe() != null;
            healthy &= ready;
            if (!ready || !stores.containsKey(memcachedServer.server().name())) {
                stores.put(memcachedServer.server().name(), memcachedServer.state());
            }
        }
        return new LedgerHealth(healthy, stores);
    }

    List<StoreConnectionInfo> wires() {
        return all().stream()
                .map(MemcachedServer::info)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Calls {@link MemcachedServer#tend} of all handles, and updates availability, epoch replication and outage logs. */
    void tend(long now) {
        List<@Nullable MemcachedConnection> verified = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            links.get(i).forEach(memcachedServer -> memcachedServer.tend(now));
            MemcachedServer first = links.get(i).get(0);
            verified.add(first.readyPipe());
            if (availability != null) {
                availability.look(i, first.server().name(), verified.get(i) != null, now);
            }
        }
        for (IncarnationCheck check : witnesses) {
            check.server().tend(now);
            verified.add(check.server().readyPipe());
        }
        replicator.tend(verified);
        for (int i = 0; i < outages.size(); i++) {
            report(
                    outages.get(i),
                    i < links.size()
                            ? links.get(i)
                            : List.of(witnesses.get(i - links.size()).server()));
        }
    }

    /** Logs outages. A server is available when all connections to the server are. */
    private static void report(OutageLog outage, List<MemcachedServer> connections) {
        List<String> without = connections.stream()
                .filter(memcachedServer -> memcachedServer.readyPipe() == null)
                .map(MemcachedServer::contact)
                .toList();
        if (without.isEmpty()) {
            outage.there();
        } else if (without.size() == connections.size()) {
            outage.away(without.get(0));
        } else {
            outage.away(without.size() + " of " + connections.size() + " connections: " + without.get(0));
        }
    }

    void close() {
        all().forEach(MemcachedServer::close);
    }

    private List<MemcachedServer> all() {
        return Stream.concat(
                        links.stream().flatMap(List::stream), witnesses.stream().map(IncarnationCheck::server))
                .toList();
    }

    private int inFlight() {
        return links.stream()
                .flatMap(List::stream)
                .mapToInt(MemcachedServer::inFlight)
                .sum();
    }

    private static MemcachedServer.Server server(String name, int index, boolean direct) {
        HostPort address = HostPort.of(name);
        return new MemcachedServer.Server(name, address.host(), address.port(), index, direct);
    }
}
