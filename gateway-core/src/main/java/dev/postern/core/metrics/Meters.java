package dev.postern.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.function.Supplier;

/**
 * Every meter of the gateway: name, tags and meaning, once. {@code docs/metrics.md} lists the same; a test compares them.
 *
 * <p>Tags have few values: never a token, an address, a host from CONNECT or a path.
 */
public enum Meters {
    EXCHANGES("postern.exchanges", "Exchanges that ended.", "listener", "route", "status", "outcome"),
    STAGE("postern.exchange.stage", "Time that exchanges spent in each stage; the stages sum to the whole.", "stage"),
    REFUSALS("postern.refusals", "Responses that the gateway generated itself.", "code", "blame", "reason"),
    AMBIGUOUS(
            "postern.refused.ambiguous",
            "Heads on their way out that could have been read in two ways, and so were not sent."),
    TUNNELS("postern.tunnels", "Tunnels that are open."),
    HTTP2_BUDGETS(
            "postern.http2.budgets", "HTTP/2 connections that ended because the client used a budget up.", "budget"),
    LOG_LOST(
            "postern.log.lost",
            "Lines of the exchange log that were left out: more refusals than may get one, a queue that was full, or a disk that was."),
    TRACE_SPANS("postern.trace.spans", "Spans of traced exchanges, and what became of them.", "result"),

    CONNECTIONS("postern.connections", "Client connections that are open."),
    CONNECTIONS_LIMIT("postern.connections.limit", "Client connections that may be open at once."),
    CONNECTIONS_PAUSED(
            "postern.connections.paused",
            "Times that accepting stopped, because as many connections were open as may be."),
    CONNECTIONS_UNSENT("postern.connections.unsent", "Bytes that wait to be written to clients."),
    CONNECTIONS_CLOSED(
            "postern.connections.closed",
            "Client connections that were closed for another reason than an exchange.",
            "reason"),
    OVERLOAD_FIGURE(
            "postern.overload.usage", "How much of a resource is used, as shedding of load is decided by.", "resource"),
    LOOP_LAG("postern.loops.lag", "Seconds that a task waited for any event loop, at most in the last seconds."),
    OVERLOAD_SHEDDING("postern.overload.shedding", "1 while load is shed for want of a resource.", "resource"),
    CERTIFICATES(
            "postern.certificates",
            "Changed certificate files of listeners that were read again.",
            "listener",
            "result"),
    CERTIFICATE_EXPIRY(
            "postern.tls.certificate.expiry",
            "Seconds until the certificate of a listener expires; negative since it has.",
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
    UPSTREAM_RETRIES(
            "postern.upstream.retries", "Requests sent again, or not for want of budget.", "upstream", "result"),
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
    SPEND_PART(
            "postern.spend.part",
            "Where the time of spend checks went: waiting for the connection, being written, the store, the way back; the parts sum to the whole.",
            "part"),
    LEDGER_IN_FLIGHT("postern.ledger.in.flight", "Spends that wait for the ledger now."),
    LEDGER_LATE("postern.ledger.late", "Ledger replies after the deadline."),
    LEDGER_EVENTS("postern.ledger.events", "Reconnects, lost memory, given back and the like.", "event"),
    ISSUER_KEYS("postern.issuer.keys", "Token keys that are accepted now.", "issuer"),
    ISSUER_LEFT(
            "postern.issuer.left",
            "Seconds until the last key of the issuer is no longer accepted; endless while one is listed.",
            "issuer"),
    ISSUER_AGE("postern.issuer.age", "Seconds since the issuer's directory was last found good.", "issuer"),
    ISSUER_FETCHES("postern.issuer.fetches", "Fetches of issuer directories.", "issuer", "result"),

    ROOM_WAITING("postern.room.waiting", "People in the queue now.", "room"),
    ROOM_ACTIVE("postern.room.active", "Sessions that may use the site now.", "room"),
    ROOM_BOUND("postern.room.bound", "Sessions that may use the site at once.", "room"),
    ROOM_DECISIONS("postern.room.decisions", "Decisions of rate limits and rooms.", "limit", "decision"),
    ROOM_CALL("postern.room.call", "Calls to the store of the rooms, many decisions each.", "result"),

    EXTENSION_FAULTS(
            "postern.extension.faults", "Times that an extension threw something or answered too late.", "extension"),

    CONTEXT_DRIFT("postern.context.drift", "1 where a setting outside the code is not as wanted.", "item"),
    CONFIG_RELOAD("postern.config.reload", "Reloads of the configuration.", "result"),
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

    /** The counter with these tag values, in the order of {@link #tagKeys}; keep it, look-ups don't belong on the path. */
    public Counter counter(MeterRegistry registry, String... tagValues) {
        return Counter.builder(meter)
                .description(description)
                .tags(tags(tagValues))
                .register(registry);
    }

    /** The timer with these tag values and buckets from 25 microseconds to 10 seconds, fine enough that a median can be read. */
    public Timer timer(MeterRegistry registry, String... tagValues) {
        return Timer.builder(meter)
                .description(description)
                .tags(tags(tagValues))
                .serviceLevelObjectives(HistogramStripe.bounds())
                .register(registry);
    }

    /** A gauge that reads its value when it is scraped. */
    public void gauge(MeterRegistry registry, Supplier<Number> value, String... tagValues) {
        Gauge.builder(meter, value)
                .description(description)
                .tags(tags(tagValues))
                .strongReference(true)
                .register(registry);
    }

    /** A counter that reads its value when it is scraped. */
    public void count(MeterRegistry registry, Supplier<Number> value, String... tagValues) {
        // The object is held weakly, the function is not: read through the object, the counter would stand still after
        // a collection.
        FunctionCounter.builder(meter, this, m -> value.get().doubleValue())
                .description(description)
                .tags(tags(tagValues))
                .register(registry);
    }

    /** Takes those away whose first tag has that value: what they were about is gone, or another one takes its place. */
    public void remove(MeterRegistry registry, String firstTag) {
        List.copyOf(registry.find(meter).tag(tagKeys.get(0), firstTag).meters()).forEach(registry::remove);
    }

    /** Takes all of an upstream away. */
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
