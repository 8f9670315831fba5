package dev.postern.ratelimit.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.crypto.Prf;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FairQueueSettings.Tenants;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a rate counts by and which room an exchange falls into, as short names. Hosts, addresses and field values appear only as a keyed
 * hash: equal on all replicas, and nothing about people is left in Redis. Thread-safe.
 */
public final class RateKeyExtractor {

    private static final int HASH = 12;
    private static final int BUCKETS = 64;
    private static final Pattern HASHED = Pattern.compile("[A-Za-z0-9_-]{16}");

    private final Prf prf;

    public RateKeyExtractor(Prf prf) {
        this.prf = prf;
    }

    /** What the rate of that limit counts this exchange by. */
    String key(RateLimitRule rule, Exchange exchange) {
        RateKey per = rule.per();
        return switch (per.kind()) {
            case CLIENT_ADDRESS -> address(exchange);
            case HOST -> hash("host", value(per, exchange));
            case ROUTE -> hash("route", value(per, exchange));
            case HEADER -> hash("header", value(per, exchange));
        };
    }

    private static String value(RateKey rateKey, Exchange exchange) {
        return switch (rateKey.kind()) {
            case HOST -> Route.of(exchange).host(); // never what the client wrote, which it can invent
            case ROUTE -> Route.of(exchange).name();
            case CLIENT_ADDRESS -> exchange.clientAddress().getHostAddress();
            case HEADER -> {
                FieldName header = rateKey.header();
                @Nullable
                String value = header == null ? null : exchange.request().joined(header);
                yield value == null ? "" : value;
            }
        };
    }

    /** On whose account an exchange waits in a room. */
    TenantShare share(Tenants tenants, Exchange exchange) {
        boolean optional = Route.of(exchange).token() == Route.Token.OPTIONAL;
        RateKey by = tenants.by();
        if (by == null && !optional) {
            return TenantShare.NONE;
        }
        String value = by == null ? "" : value(by, exchange);
        int weight = tenants.weights().getOrDefault(value, 0);
        String name = weight > 0 ? hash("tenant", value) : "others" + bucket(value);
        boolean holder = optional && exchange.credential() != null;
        int times = holder ? tenants.holderWeight() : 1;
        return new TenantShare((holder ? "h" : "g") + name, Math.min(Math.max(weight, 1) * times, TenantShare.MAX));
    }

    /** Whoever makes up names that nobody configured gets no more turns than there are buckets. */
    private int bucket(String value) {
        return (keyed("tenant", value.getBytes(UTF_8))[0] & 0xff) % BUCKETS;
    }

    /** The client's address, as far as it stands for one client: all of IPv4, 64 bits of IPv6. */
    String address(Exchange exchange) {
        byte[] address = exchange.clientAddress().getAddress();
        return hash("address", Arrays.copyOf(address, address.length == 4 ? 4 : 8));
    }

    String room(RateLimitRule rule, FairQueueSettings settings, Exchange exchange) {
        switch (settings.roomPer()) {
            case HOST:
                return rule.name() + '~' + hash("room", Route.of(exchange).host());
            case ROUTE:
                return rule.name() + '~' + hash("room", Route.of(exchange).name());
            default:
                return rule.name();
        }
    }

    /** Whether a room of that limit could have that id. */
    static boolean names(RateLimitRule rule, FairQueueSettings settings, String id) {
        boolean one = id.equals(rule.name());
        return settings.roomPer() == FairQueueSettings.RoomPer.RULE
                ? one
                : !one && HASHED.matcher(id.substring(id.indexOf('~') + 1)).matches();
    }

    private String hash(String use, String text) {
        return hash(use, text.getBytes(UTF_8));
    }

    private String hash(String use, byte[] value) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(keyed(use, value), HASH));
    }

    private byte[] keyed(String use, byte[] value) {
        byte[] label = use.getBytes(UTF_8);
        byte[] message = Arrays.copyOf(label, label.length + 1 + value.length);
        System.arraycopy(value, 0, message, label.length + 1, value.length);
        return prf.of(message);
    }
}
