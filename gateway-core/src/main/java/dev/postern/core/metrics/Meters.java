package dev.postern.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Meters of the gateway: name, tags and description of each. {@code docs/metrics.md} contains the same descriptions; a test compares them.
 *
 * <p>Tags have few values: never a token, an address, a host from CONNECT or a path.
 */
public enum Meters {
    EXCHANGES("postern.exchanges", "Exchanges that ended.", "listener", "route", "status", "outcome"),
    EXCHANGE_DURATION(
            "postern.exchange.duration",
            "Durations of exchanges, from the first byte of the request to the last of the response.",
            "route",
            "upstream"),
    STAGE("postern.exchange.stage", "Time that exchanges spent in each stage; the stages sum to the whole.", "stage"),
    REFUSALS("postern.refusals", "Responses that the gateway generated itself.", "code", "blame", "reason"),
    AMBIGUOUS("postern.refused.ambiguous", "Outbound heads that were ambiguous and therefore not sent."),
    TUNNELS("postern.tunnels", "Tunnels that are open.", "kind"),
    FORWARD_SOCKETS(
            "postern.forward.sockets",
            "Sockets of exchanges of forward listeners, and how many there may be.",
            "state"),
    TUNNEL_DATAGRAMS(
            "postern.tunnel.datagrams", "Datagrams of UDP tunnels by direction and outcome.", "direction", "outcome"),
    HTTP2_BUDGETS(
            "postern.http2.budgets", "HTTP/2 connections that ended because the client used a budget up.", "budget"),
    LOG_LOST("postern.log.lost", "Dropped lines of the exchange log."),
    TRACE_SPANS("postern.trace.spans", "Spans of traced exchanges by result.", "result"),

    CONNECTIONS("postern.connections", "Client connections that are open."),
    CONNECTIONS_LIMIT("postern.connections.limit", "Client connections that may be open at once."),
    CONNECTIONS_PAUSED("postern.connections.paused", "Times that accepting stopped at the connection limit."),
    CONNECTIONS_UNSENT("postern.connections.unsent", "Bytes that wait to be written to clients."),
    CONNECTIONS_WINDOWS(
            "postern.connections.windows",
            "Bytes by which receive windows of HTTP/2 have grown beyond their first size."),
    CONNECTIONS_CLOSED(
            "postern.connections.closed",
            "Client connections that were closed for another reason than an exchange.",
            "reason"),
    OVERLOAD_FIGURE("postern.overload.usage", "Usage of a resource, as compared with the shedding limits.", "resource"),
    LOOP_LAG("postern.loops.lag", "Longest recent delay of a task on any event loop, in seconds."),
    OVERLOAD_SHEDDING("postern.overload.shedding", "1 while load is shed because of this resource.", "resource"),
    CERTIFICATES(
            "postern.certificates",
            "Changed certificate files of listeners that were read again.",
            "listener",
            "result"),
    CERTIFICATE_EXPIRY(
            "postern.tls.certificate.expiry",
            "Seconds until the certificate of a listener expires; negative after expiry.",
            "listener",
            "name"),

    UPSTREAM_CONNECTIONS("postern.upstream.connections", "Upstream connections now.", "upstream", "state"),
    UPSTREAM_CERTIFICATES(
            "postern.upstream.certificates",
            "Changed files of authorities of upstreams that were read again.",
            "upstream",
            "result"),
    UPSTREAM_CONNECTS("postern.upstream.connects", "Upstream connections opened.", "upstream", "result"),
    UPSTREAM_REUSE("postern.upstream.reuse", "Requests sent over a connection that had served before.", "upstream"),
    UPSTREAM_REQUESTS("postern.upstream.requests", "Requests sent to the upstream, retries included.", "upstream"),
    UPSTREAM_FIRST_BYTE(
            "postern.upstream.first.byte",
            "Times from the end of the request until the upstream's response began.",
            "upstream",
            "response"),
    UPSTREAM_RETRIES(
            "postern.upstream.retries", "Requests sent again, or not for want of budget.", "upstream", "result"),
    UPSTREAM_PREEMPTED(
            "postern.upstream.preempted",
            "Exchanges that were ended because others waited for a connection.",
            "upstream",
            "cause"),
    UPSTREAM_IDLE_LIMIT(
            "postern.upstream.idle.limit",
            "Seconds after which an unused connection is closed, as configured or as learnt.",
            "upstream"),
    UPSTREAM_BREAKER("postern.upstream.breaker", "Circuit breaker: 0 closed, 0.5 while a few try, 1 open.", "upstream"),
    UPSTREAM_ENDPOINTS("postern.upstream.endpoints", "Servers, and those that may be used now.", "upstream", "state"),

    TOKEN_VERIFY("postern.token.verify", "Signature checks.", "type", "result"),
    VERIFY_WAITING("postern.token.verify.waiting", "Tokens that wait for a thread to check them; type 1 only."),
    TOKEN_SPARE("postern.token.deprioritized", "Tokens of networks that were past their failure budget.", "result"),
    TOKEN_REPORTED(
            "postern.token.would.refuse",
            "Exchanges that went on only because enforcement is report-only.",
            "code",
            "reason"),
    SPEND("postern.spend", "Spend checks, from request to reply on the event loop.", "result"),
    SPEND_PART("postern.spend.part", "Parts of spend time; they sum to the whole.", "part"),
    LEDGER_IN_FLIGHT("postern.ledger.in.flight", "Spends that wait for the ledger now."),
    LEDGER_LATE("postern.ledger.late", "Ledger replies after the deadline."),
    LEDGER_EVENTS("postern.ledger.events", "Reconnects, lost memory, refunds and the like.", "event"),
    ISSUER_KEYS("postern.issuer.keys", "Token keys that are accepted now.", "issuer"),
    ISSUER_LEFT(
            "postern.issuer.left",
            "Seconds until the last key of the issuer is no longer accepted; endless while one is listed.",
            "issuer"),
    ISSUER_AGE("postern.issuer.age", "Seconds since the issuer's directory was last found good.", "issuer"),
    ISSUER_FETCHES("postern.issuer.fetches", "Fetches of issuer directories.", "issuer", "result"),
    ISSUER_SKIPPED("postern.issuer.skipped", "Entries of the issuer's directory that cannot be used.", "issuer"),

    ROOM_WAITING("postern.room.waiting", "Clients in the queue now.", "room"),
    ROOM_ACTIVE("postern.room.active", "Sessions that may use the site now.", "room"),
    ROOM_BOUND("postern.room.bound", "Sessions that may use the site at once.", "room"),
    ROOM_DECISIONS("postern.room.decisions", "Decisions of rate limits and rooms.", "limit", "decision"),
    ROOM_CALL("postern.room.call", "Calls to the store of the rooms, many decisions each.", "result"),
    ROOM_EVENTS("postern.room.events", "Losses of rooms' memory, and keys that their servers evicted.", "event"),
    STORE_MAY_EVICT("postern.store.may.evict", "1 if a Redis may evict keys that are still needed.", "store"),

    EXTENSION_FAULTS(
            "postern.extension.faults", "Times that an extension threw something or answered too late.", "extension"),

    CONTEXT_DRIFT("postern.context.drift", "1 if a setting outside the code differs from the wanted value.", "item"),
    CONFIG_RELOAD("postern.config.reload", "Reloads of the configuration.", "result"),
    RING("postern.ring", "Always 1; the fingerprint of a secret of the key ring, and its use.", "fingerprint", "use"),
    BUILD_INFO("postern.build.info", "Always 1; the tags say what runs.", "version", "java");

    private final String meter;
    private final String description;
    private final List<String> tagKeys;

    Meters(String meter, String description, String... tagKeys) {
        this.meter = meter;
        this.description = description;
        this.tagKeys = List.of(tagKeys);
    }

    public String meter() {
        return meter;
    }

    public String description() {
        return description;
    }

    public List<String> tagKeys() {
        return tagKeys;
    }

    /**
     * Returns the counter with these tag values, in the order of {@link #tagKeys}; keep the counter, since look-ups are too slow for the
     * request path.
     */
    public Counter counter(MeterRegistry registry, String... tagValues) {
        return Counter.builder(meter)
                .description(description)
                .tags(tags(tagValues))
                .register(registry);
    }

    /** Returns the timer with these tag values and buckets from 25 microseconds to 10 seconds, fine enough for reading a median. */
    public Timer timer(MeterRegistry registry, String... tagValues) {
        return Timer.builder(meter)
                .description(description)
                .tags(tags(tagValues))
                .serviceLevelObjectives(HistogramBounds.STEPS.durations().toArray(Duration[]::new))
                .register(registry);
    }

    /** Registers a gauge that reads its value at scrape. */
    public void gauge(MeterRegistry registry, Supplier<Number> value, String... tagValues) {
        Gauge.builder(meter, value)
                .description(description)
                .tags(tags(tagValues))
                .strongReference(true)
                .register(registry);
    }

    /** Registers a counter that reads its value at scrape. */
    public void count(MeterRegistry registry, Supplier<Number> value, String... tagValues) {
        // The registry holds the object weakly and the function strongly: a value read through the object would stop
        // changing after a garbage collection.
        FunctionCounter.builder(meter, this, m -> value.get().doubleValue())
                .description(description)
                .tags(tags(tagValues))
                .register(registry);
    }

    /** Removes the meters whose first tag has that value: their subject is gone, or is replaced. */
    public void remove(MeterRegistry registry, String firstTag) {
        List.copyOf(registry.find(meter).tag(tagKeys.get(0), firstTag).meters()).forEach(registry::remove);
    }

    /** Removes all meters of an upstream. */
    public static void removeUpstream(MeterRegistry registry, String upstream) {
        for (Meters one : values()) {
            if (one.tagKeys.contains("upstream")) {
                one.remove(registry, upstream);
            }
        }
        BreakerMeters.remove(registry, BreakerMeters.ofUpstream(upstream));
    }

    private String[] tags(String... values) {
        if (values.length != tagKeys.size()) {
            throw new IllegalArgumentException(
                    meter + ": " + values.length + " tag values (expected: one for each of " + tagKeys + ")");
        }
        String[] tags = new String[values.length * 2];
        for (int i = 0; i < values.length; i++) {
            tags[2 * i] = tagKeys.get(i);
            tags[2 * i + 1] = values[i];
        }
        return tags;
    }
}
