package dev.postern.ratelimit.handler;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.crypto.Prf;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
import dev.postern.core.transport.loop.EventLoopLocal;
import dev.postern.ratelimit.queue.KeyAllowance;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rate key extractor: derives the key of a rate, the room and the tenant from an exchange. Hosts, addresses and field values are used only
 * as keyed hashes: equal on all replicas, and no personal data is stored in Redis. Thread-safe.
 */
public final class RateKeyExtractor {

    private static final int HASH = 12;
    private static final int NETWORK_HASH = 6;
    private static final int BUCKETS = 64;
    private static final Pattern HASHED = Pattern.compile("[A-Za-z0-9_-]{16}");

    /** Begins the keys of preflights; no other key of a limit has a tilde. */
    private static final String PREFLIGHT = "p~";

    private static final long NANOS_PER_MICRO = 1000;

    private final Supplier<Prf> prf;
    private final EventLoopLocal<KeyAllowance> allowances = new EventLoopLocal<>(loop -> new KeyAllowance());

    /** @param prf returns the function of the key ring in force, for this use only */
    public RateKeyExtractor(Supplier<Prf> prf) {
        this.prf = prf;
    }

    /** Returns the key by which the rate of the limit counts the exchange. */
    String key(RateLimitRule rule, Exchange exchange) {
        RateKey per = rule.per();
        return switch (per.kind()) {
            case CLIENT_ADDRESS -> address(exchange);
            case HOST -> hash("host", value(per, exchange));
            case ROUTE -> hash("route", value(per, exchange));
            case HEADER -> chosen(rule, hash("header", value(per, exchange)), exchange);
            case COOKIE -> chosen(rule, hash("cookie", value(per, exchange)), exchange);
        };
    }

    /**
     * Returns the key by which a second budget of the same rate counts a CORS preflight. Browsers send preflights without the headers and
     * cookies of the request that follows, so where these count, the client's address does.
     */
    String preflightKey(RateLimitRule rule, Exchange exchange) {
        return PREFLIGHT + (rule.per().chosenByClient() ? address(exchange) : key(rule, exchange));
    }

    /** Returns the key of a value that the client chose; that of its address if its network sends more values than the stores should keep. */
    private String chosen(RateLimitRule rule, String key, Exchange exchange) {
        Gcra rate = rule.gcra();
        if (rate == null) {
            return key; // no store counts it
        }
        String address = address(exchange);
        String limit = rule.name() + '~';
        boolean allowed = allowances
                .get(exchange.loop())
                .allows(limit + key, limit + address, rate, exchange.now() / NANOS_PER_MICRO);
        return allowed ? key : address;
    }

    private static String value(RateKey rateKey, Exchange exchange) {
        return switch (rateKey.kind()) {
            case HOST -> Route.of(exchange).host(); // not the host of the request, which the client can choose
            case ROUTE -> Route.of(exchange).name();
            case CLIENT_ADDRESS -> exchange.clientAddress().getHostAddress();
            case HEADER, COOKIE -> {
                @Nullable String value = rateKey.value(exchange.request());
                yield value == null ? "" : value;
            }
        };
    }

    /** Returns the tenant and the weight under which an exchange waits in a room. */
    TenantShare share(FairQueueSettings settings, Exchange exchange) {
        boolean optional = Route.of(exchange).token() == Route.Token.OPTIONAL;
        RateKey by = settings.tenants().by().key();
        if (by == null && !optional) {
            return TenantShare.NONE;
        }
        String value = by == null ? "" : value(by, exchange);
        int weight = settings.tenants().weights().getOrDefault(value, 0);
        // A client with a /64 could be in each bucket.
        boolean address = by != null && by.kind() == RateKey.Kind.CLIENT_ADDRESS;
        String group = address ? exchange.clientPrefix().toString() : value;
        String name = weight > 0 ? hash("tenant", value) : "others" + bucket(group);
        boolean holder = optional && exchange.credential() != null;
        int times = holder ? settings.holderWeight() : 1;
        return new TenantShare((holder ? "h" : "g") + name, Math.min(Math.max(weight, 1) * times, TenantShare.MAX));
    }

    /** Returns the bucket of a tenant that is not configured, so that invented tenant names form at most {@value #BUCKETS} tenants. */
    private int bucket(String value) {
        return (keyed("tenant", value.getBytes(UTF_8))[0] & 0xff) % BUCKETS;
    }

    /** Returns the hash of the part of the client's address that identifies one client: all of IPv4, 64 bits of IPv6. */
    String address(Exchange exchange) {
        return hash("address", exchange.clientPrefix().bytes());
    }

    /** Returns the hash of a network for one session: the same on all nodes, and no link between sessions of one network. */
    String network(long network, String session) {
        return hash("pass-network", session + ' ' + network);
    }

    /** Returns the hash of the client's network, by which the places of a room are counted: short, since each place has one in Redis. */
    String network(Exchange exchange) {
        return hash("network", exchange.clientPrefix().bytes(), NETWORK_HASH);
    }

    String room(RateLimitRule rule, FairQueueSettings settings, Route route) {
        switch (settings.roomPer()) {
            case HOST:
                return rule.name() + '~' + hash("room", route.host());
            case ROUTE:
                return rule.name() + '~' + hash("room", route.name());
            default:
                return rule.name();
        }
    }

    /** Returns whether the id can be the id of a room of the limit. */
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
        return hash(use, value, HASH);
    }

    private String hash(String use, byte[] value, int bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(keyed(use, value), bytes));
    }

    private byte[] keyed(String use, byte[] value) {
        byte[] label = use.getBytes(UTF_8);
        byte[] message = Arrays.copyOf(label, label.length + 1 + value.length);
        System.arraycopy(value, 0, message, label.length + 1, value.length);
        return prf.get().of(message);
    }
}
