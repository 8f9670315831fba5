package dev.postern.ratelimit.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.FieldName;
import dev.postern.core.seal.Prf;
import dev.postern.ratelimit.store.FairQueue;
import dev.postern.ratelimit.store.Limit;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a rate counts by and which room an exchange falls into, as short names. Hosts, addresses and field values appear only as a keyed
 * hash: equal on all replicas, and nothing about people is left in Redis. Thread-safe.
 */
public final class Naming {

    private static final int HASH = 12;
    private static final Pattern HASHED = Pattern.compile("[A-Za-z0-9_-]{16}");

    private final Prf prf;

    public Naming(Prf prf) {
        this.prf = prf;
    }

    /** What the rate of that limit counts this exchange by. */
    String key(Limit limit, Exchange exchange) {
        switch (limit.per()) {
            case HOST:
                return hash("host", exchange.request().host());
            case ROUTE:
                return hash("route", exchange.route().name());
            case HEADER:
                FieldName header = limit.header();
                @Nullable
                String value = header == null ? null : exchange.request().joined(header);
                return hash("header", value == null ? "" : value);
            default:
                return address(exchange);
        }
    }

    /** The client's address, as far as it stands for one client: all of IPv4, 64 bits of IPv6. */
    String address(Exchange exchange) {
        byte[] address = exchange.clientAddress().getAddress();
        return hash("address", Arrays.copyOf(address, address.length == 4 ? 4 : 8));
    }

    String room(Limit limit, FairQueue queue, Exchange exchange) {
        switch (queue.roomPer()) {
            case HOST:
                return limit.name() + '~' + hash("room", exchange.request().host());
            case ROUTE:
                return limit.name() + '~' + hash("room", exchange.route().name());
            default:
                return limit.name();
        }
    }

    /** Whether a room of that limit could have that id. */
    static boolean names(Limit limit, FairQueue queue, String id) {
        boolean one = id.equals(limit.name());
        return queue.roomPer() == FairQueue.RoomPer.RULE
                ? one
                : !one && HASHED.matcher(id.substring(id.indexOf('~') + 1)).matches();
    }

    private String hash(String use, String text) {
        return hash(use, text.getBytes(UTF_8));
    }

    private String hash(String use, byte[] value) {
        byte[] label = use.getBytes(UTF_8);
        byte[] message = Arrays.copyOf(label, label.length + 1 + value.length);
        System.arraycopy(value, 0, message, label.length + 1, value.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(prf.of(message), HASH));
    }
}
