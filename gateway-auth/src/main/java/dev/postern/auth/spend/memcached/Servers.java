package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All servers there are: the links to those that are asked, and the witnesses where those are routers. */
final class Servers {

    private final List<List<Link>> links = new ArrayList<>();
    private final List<Witness> witnesses = new ArrayList<>();
    private final Ring ring;
    private final @Nullable Attendance attendance;
    private final MarkRegister register;

    /** @param leavesOut whether a server that stays away is to be left out */
    Servers(Memcached settings, Link.Tools tools, boolean leavesOut) {
        // Sorted, so that gateways that list them in another order make the same epoch of their marks.
        List<String> asked = settings.servers().stream().sorted().toList();
        List<String> behind = settings.statsServers().stream().sorted().toList();
        this.ring = new Ring(asked);
        for (int i = 0; i < behind.size(); i++) {
            Link link = new Link(server(behind.get(i), asked.size() + i, true), tools, Link.Witnesses.NONE);
            witnesses.add(new Witness(link, tools));
        }
        Link.Witnesses all = behind.isEmpty() ? Link.Witnesses.NONE : new AllWitnesses(witnesses);
        for (int i = 0; i < asked.size(); i++) {
            List<Link> ofServer = new ArrayList<>();
            for (int j = 0; j < settings.connections(); j++) {
                ofServer.add(new Link(server(asked.get(i), i, j == 0 && behind.isEmpty()), tools, all));
            }
            links.add(ofServer);
        }
        this.attendance = leavesOut ? new Attendance(tools.marks(), asked.size(), System.nanoTime()) : null;
        this.register =
                new MarkRegister(Stream.concat(asked.stream(), behind.stream()).toList(), tools);
        tools.meters().inFlight(this::inFlight);
    }

    /** How many have a mark of their own. */
    static int marked(Memcached settings) {
        return settings.servers().size() + settings.statsServers().size();
    }

    Ring ring() {
        return ring;
    }

    /** The way to that server; of its connections each key has its own. */
    Link link(int server, byte[] key) {
        List<Link> ofServer = links.get(server);
        return ofServer.get(Math.floorMod(key[0], ofServer.size()));
    }

    LedgerHealth health() {
        Map<String, String> stores = new TreeMap<>();
        boolean healthy = true;
        for (Link link : all()) {
            boolean ready = link.readyPipe() != null;
            healthy &= ready;
            if (!ready || !stores.containsKey(link.server().name())) {
                stores.put(link.server().name(), link.state());
            }
        }
        return new LedgerHealth(healthy, stores);
    }

    /** On the ledger's thread, many times a second. */
    void tend() {
        long now = System.nanoTime();
        List<@Nullable Pipe> pipes = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            links.get(i).forEach(Link::tend);
            Link first = links.get(i).get(0);
            pipes.add(first.readyPipe());
            if (attendance != null) {
                attendance.look(i, first.server().name(), pipes.get(i) != null, now);
            }
        }
        for (Witness witness : witnesses) {
            witness.link().tend();
            pipes.add(witness.link().readyPipe());
        }
        register.tend(pipes);
    }

    void close() {
        all().forEach(Link::close);
    }

    private List<Link> all() {
        return Stream.concat(
                        links.stream().flatMap(List::stream), witnesses.stream().map(Witness::link))
                .toList();
    }

    private int inFlight() {
        return links.stream().flatMap(List::stream).mapToInt(Link::inFlight).sum();
    }

    private static Link.Server server(String name, int index, boolean first) {
        int colon = name.lastIndexOf(':');
        try {
            String host = name.substring(0, Math.max(colon, 0));
            int port = Integer.parseInt(name.substring(colon + 1));
            if (host.isEmpty() || port < 1 || port > 65_535) {
                throw new NumberFormatException();
            }
            return new Link.Server(name, host, port, index, first);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("servers: " + name + " (expected: host:port)", e);
        }
    }
}
