package dev.postern.load.experiment.queue;

import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.Http1Socket.Response;
import dev.postern.load.crowd.Origin;
import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.measure.Progress;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Redis;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fair queue site: nginx with its limit, a gateway with its state in memory, and two gateways that share a Redis. Each
 * of the three has an origin of its own.
 */
final class FairQueueSite {
    static final int WORKERS = 16;

    private static final Duration GAP = Duration.ofSeconds(2);
    private static final String YAML = """
        instance: {namespace: fair-queue, replicas: %1$d}
        secrets: {ring-file: "%2$s"}
        listeners:
          - {name: web, address: "127.0.0.1:%3$d", mode: reverse}
        admin: {address: "127.0.0.1:%4$d", token-file: "%5$s"}
        log: {level: warn, successes: 0%%}
        privacy-pass: {ledger: {store: %6$s}}
        redis: {uri: "redis://127.0.0.1:%7$d", deadline: 1s}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:%8$d"]}
        """;

    /**
     * Front of an origin: the ports that clients use, in turn.
     *
     * @param admin addresses of the gateways for operators; empty for nginx
     */
    record Front(List<Integer> ports, List<Integer> admin, Origin origin) {}

    private final RunFolder folder;
    private final int parts;
    private final String token = Postern.secret();
    private final Map<Store, Front> gateways = new EnumMap<>(Store.class);
    private final Front nginx;

    /** @param parts of a whole page */
    FairQueueSite(RunFolder folder, int parts) {
        this.folder = folder;
        this.parts = parts;
        Progress.say("starting nginx, Redis, three gateways and three origins; logs: " + folder);
        Redis redis = Redis.start(folder, Cores.ANY);
        Origin origin = Origin.start(folder, WORKERS, GAP, parts);
        Nginx limiting = Nginx.limiting(folder, "nginx", Cores.ANY, origin.port(), Room.RATE);
        nginx = new Front(List.of(limiting.port()), List.of(), origin);
        Path ring = folder.write("ring", Postern.secret() + "\n");
        Path admin = folder.write("admin-token", token + "\n");
        for (Store store : Store.values()) {
            gateways.put(store, gateways(store, redis.port(), ring, admin));
        }
    }

    private Front gateways(Store store, int redis, Path ring, Path adminToken) {
        Origin origin = Origin.start(folder, WORKERS, GAP, parts);
        List<Integer> ports = new ArrayList<>();
        List<Integer> admins = new ArrayList<>();
        for (int i = 0; i < store.gateways(); i++) {
            int port = Ports.free();
            int admin = Ports.free();
            String yaml =
                    YAML.formatted(store.gateways(), ring, port, admin, adminToken, store.yaml(), redis, origin.port());
            String name = "gateway-" + store.yaml() + "-" + i;
            Postern.gateway(folder, name, Cores.ANY, yaml + rooms(store), admin);
            ports.add(port);
            admins.add(admin);
        }
        return new Front(ports, admins, origin);
    }

    private static String rooms(Store store) {
        StringBuilder limits = new StringBuilder("rate-limits:\n");
        StringBuilder routes = new StringBuilder("routes:\n");
        for (Load load : Load.values()) {
            for (Variant variant : Variant.values()) {
                if (variant.store() == store) {
                    Room room = new Room(load, variant);
                    limits.append(room.limitYaml(store));
                    routes.append(room.routeYaml());
                }
            }
        }
        return limits.append(routes).toString();
    }

    RunFolder folder() {
        return folder;
    }

    Front front(Variant variant) {
        @Nullable Store store = variant.store();
        return store == null ? nginx : Objects.requireNonNull(gateways.get(store), variant.word());
    }

    /** Prepares the room for its crowd. */
    void prepare(Room room) {
        if (room.load().everybodyQueues() && room.variant().queue()) {
            front(room.variant()).admin().forEach(port -> everybodyQueues(port, room.name()));
        }
    }

    private void everybodyQueues(int port, String room) {
        String json = "{\"mode\": \"everybody-queues\"}";
        String request = "PATCH /rooms/" + room + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                + "\r\nContent-Length: " + json.length() + "\r\n\r\n" + json;
        try (Http1Socket connection = Http1Socket.to(port)) {
            Response response = connection.ask(request.getBytes(StandardCharsets.ISO_8859_1));
            if (response.status() != 200) {
                throw new IllegalStateException(room + ": " + response + " (expected: status 200)");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(room, e);
        }
    }
}
