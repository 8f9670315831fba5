package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.StoreResources;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Replicator of epoch markers: writes a list of all servers' markers to every server. So a gateway that starts while a server is away
 * computes the same epoch as gateways that have read the marker of this server. A gateway writes the list when it has read all markers,
 * reads the list once from each server, and uses only its entries for servers whose marker is still unknown.
 *
 * <p>Works on the ledger's thread; responses arrive on the connections' threads.
 */
final class EpochReplicator {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<String> names;
    private final StoreResources resources;
    private final byte[] key;
    private final Map<MemcachedConnection, String> written = new HashMap<>();

    EpochReplicator(List<String> names, StoreResources resources, MemcachedEncoding encoding) {
        this.names = names;
        this.resources = resources;
        this.key = encoding.register();
    }

    /** @param connections one connection per server, in the order of the servers' names; null where none is verified */
    void maintain(List<@Nullable MemcachedConnection> connections) {
        written.keySet().retainAll(connections);
        String text = connections.contains(null) ? null : text();
        for (MemcachedConnection connection : connections) {
            if (connection == null) {
                continue;
            }
            if (!written.containsKey(connection)) {
                read(connection);
            } else if (text != null && !text.equals(written.get(connection))) {
                write(connection, text);
            }
        }
    }

    private void read(MemcachedConnection connection) {
        ByteBuffer gets = MemcachedEncoding.gets(key);
        if (connection.send(new GetsCommand(
                gets, deadline(), response -> resources.scheduler().now(() -> found(connection, response))))) {
            written.put(connection, "");
        }
    }

    private void found(MemcachedConnection connection, GetsReply.Response response) {
        byte[] value = response.value();
        if (response.reply() != StoreReply.STORED || value == null) {
            return;
        }
        String text = new String(value, US_ASCII);
        written.replace(connection, text);
        text.lines().forEach(line -> {
            int space = line.indexOf(' ');
            int server = names.indexOf(line.substring(0, Math.max(space, 0)));
            if (server >= 0) {
                resources.state().heard(server, line.substring(space + 1).getBytes(US_ASCII));
            }
        });
    }

    private void write(MemcachedConnection connection, String text) {
        ByteBuffer set = MemcachedEncoding.set(key, text.getBytes(US_ASCII));
        if (connection.send(new StoreCommand(set, deadline(), reply -> {}))) {
            written.put(connection, text);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(names.get(i))
                    .append(' ')
                    .append(new String(resources.state().marker(i), US_ASCII))
                    .append('\n');
        }
        return text.toString();
    }

    private long deadline() {
        return resources.scheduler().ticker().nanoTime() + PATIENCE_NANOS;
    }
}
