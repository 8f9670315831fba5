package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.dns.AddressOwnerLookup;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.PathReadings;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.LimitLookup;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.route.transform.HeaderModification;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.Template;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.testing.StageChannel;
import dev.postern.core.testing.TestRedis;
import dev.postern.core.testing.TestRoute;
import dev.postern.ratelimit.RateLimitSettings;
import dev.postern.ratelimit.RateLimits;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.FairQueueSettings.Tenants;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.SessionCount;
import dev.postern.ratelimit.store.TenantKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs the stage admit alone over a memory store with a manual clock, and sends requests as browsers and programs do. */
final class AdmissionFixture implements AutoCloseable {

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    static final Tenants NO_TENANTS = new Tenants(TenantKey.NONE, Map.of());

    final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final RateLimits limits;
    final List<OwnerLookup> lookups = new ArrayList<>();
    final EmbeddedChannel channel = new EmbeddedChannel();
    private LimitLookup lookup;
    private Preflight preflight = Preflight.FORWARD;
    private RouteTransform transform = RouteTransform.PLAIN;

    AdmissionFixture(KeyRing ring, RateLimitRule... configured) {
        channel.freezeTime();
        RateLimitSettings settings =
                new RateLimitSettings("test", 1, List.of(configured), Map.of(), TestRedis.of("redis://127.0.0.1:6379"));
        limits = RateLimits.open(
                settings,
                new RateLimits.Environment(
                        ring,
                        registry,
                        clock,
                        channel.eventLoop(),
                        (loop, address, domains, observer) ->
                                lookups.add(new OwnerLookup(address, domains, observer))));
        lookup = limits.limiters();
        StageChannel.add(channel, limits.admission());
    }

    /** Records one lookup of an address owner. */
    record OwnerLookup(InetAddress address, List<String> domains, Consumer<AddressOwnerLookup.Response> listener) {}

    static AdmissionFixture room() {
        return new AdmissionFixture(KeyRing.random(), roomLimit("site", 2));
    }

    /** @param perSession 0 for none */
    static RateLimitRule roomLimit(String name, int active, String perSession) {
        FairQueueSettings room = fairQueue(RoomPer.RULE, active, Rate.of(perSession), NO_TENANTS);
        return new RateLimitRule(name, Rate.of("1/s"), 0, RateKey.HOST, RateLimitRule.Store.EMBEDDED, room);
    }

    static RateLimitRule roomLimit(String name, int active) {
        return roomLimit(name, active, "0");
    }

    /** @param bind properties of the client to which tickets are bound */
    static RateLimitRule roomLimit(String name, int active, ClientBinding... bind) {
        FairQueueSettings room = fairQueue(
                RoomPer.RULE, active, Rate.of("0"), NO_TENANTS, Duration.ofSeconds(60), new Share(1), List.of(bind));
        return new RateLimitRule(name, Rate.of("1/s"), 0, RateKey.HOST, RateLimitRule.Store.EMBEDDED, room);
    }

    static FairQueueSettings fairQueue(RoomPer roomPer, int active, Rate perSession, Tenants tenants) {
        return fairQueue(roomPer, active, perSession, tenants, Duration.ofSeconds(60));
    }

    static FairQueueSettings fairQueue(RoomPer roomPer, int active, Rate perSession, Tenants tenants, Duration idle) {
        return fairQueue(roomPer, active, perSession, tenants, idle, new Share(1), List.of(ClientBinding.AGENT));
    }

    /** Returns a limit of a room with two slots and 100 places, of which one network gets the share at once. */
    static RateLimitRule sharedRoom(Share perAddress) {
        FairQueueSettings room = fairQueue(
                RoomPer.RULE,
                2,
                Rate.of("0"),
                NO_TENANTS,
                Duration.ofSeconds(60),
                perAddress,
                List.of(ClientBinding.AGENT));
        return new RateLimitRule("site", Rate.of("1/s"), 0, RateKey.HOST, RateLimitRule.Store.EMBEDDED, room);
    }

    private static FairQueueSettings fairQueue(
            RoomPer roomPer,
            int active,
            Rate perSession,
            Tenants tenants,
            Duration idle,
            Share perAddress,
            List<ClientBinding> bind) {
        return new FairQueueSettings(
                roomPer,
                new SessionCount(active),
                new FairQueueSettings.Auto(5, 1000),
                perSession,
                Duration.ofMinutes(10),
                idle,
                Duration.ofSeconds(20),
                Duration.ofMinutes(5),
                perAddress,
                100,
                503,
                bind,
                List.of("192.0.2.0/24", "/health"),
                Map.of("SearchBot", List.of("search.example")),
                tenants,
                1,
                null,
                new FairQueueSettings.Page(null, "auto", "none"));
    }

    /** Replaces the limits. */
    AdmissionFixture replaceLimits(LimitLookup replacement) {
        lookup = replacement;
        return this;
    }

    AdmissionFixture refusingPreflights() {
        preflight = Preflight.REFUSE;
        return this;
    }

    /** Sets these fields in the responses of the route. */
    AdmissionFixture responseFields(Map<String, String> fields) {
        List<HeaderModification> set = new ArrayList<>();
        fields.forEach((name, value) -> set.add(new HeaderModification(FieldName.of(name), Template.of(value))));
        transform = KeyDefaults.with(
                RouteTransform.PLAIN, Map.of("response", new HeaderModifications(List.of(), set, List.of())));
        return this;
    }

    /** Advances the time in short steps, since the rooms would take a long one for a pause of the process. */
    void advance(Duration amount) {
        for (long left = amount.toNanos(); left > 0; left -= STEP_NANOS) {
            pause(Duration.ofNanos(Math.min(left, STEP_NANOS)));
        }
    }

    /** Advances the time at once, as if the process were stopped for so long. */
    void pause(Duration amount) {
        clock.advance(amount);
        channel.advanceTimeBy(amount.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    Request get(String path) {
        return new Request(Method.GET, path);
    }

    Request request(Method method, String path) {
        return new Request(method, path);
    }

    /** Uses the base rate and both slots. */
    void fill() {
        for (int i = 0; i < 3; i++) {
            AdmissionResult seen = get("/").send();
            assertThat(seen.passed()).isTrue();
            seen.exchange().end();
        }
    }

    @Override
    public void close() {
        limits.close();
        channel.finishAndReleaseAll();
    }

    /** Builds one request. */
    final class Request {

        private final RequestHead head = new RequestHead();
        private String address = "203.0.113.7";
        private @Nullable String limit = "site";
        private String pattern = "*";
        private boolean secure;
        private @Nullable String scheme;
        private ListenerInfo.Mode mode = ListenerInfo.Mode.REVERSE;
        private @Nullable Credential credential;

        private Request(Method method, String path) {
            head.method(method)
                    .authority("shop.example")
                    .target(path, "")
                    .otherReadings(Objects.requireNonNull(PathReadings.of(path)));
        }

        Request with(String name, String value) {
            head.add(FieldName.of(name), value);
            return this;
        }

        Request cookie(String pair) {
            return pair.isEmpty() ? this : with("cookie", pair);
        }

        Request from(String other) {
            address = other;
            return this;
        }

        Request host(String authority) {
            head.authority(authority);
            return this;
        }

        /** Sets the host of the matched route. */
        Request pattern(String routeHost) {
            pattern = routeHost;
            return this;
        }

        Request limit(@Nullable String name) {
            limit = name;
            return this;
        }

        Request secure() {
            secure = true;
            return this;
        }

        /** Sets the scheme that a trusted proxy reports. */
        Request scheme(String reported) {
            scheme = reported;
            return this;
        }

        Request forward() {
            mode = ListenerInfo.Mode.FORWARD;
            return this;
        }

        Request credential(@Nullable Credential verified) {
            credential = verified;
            return this;
        }

        AdmissionResult send() {
            RecordedResponse response = new RecordedResponse();
            Exchange exchange = exchange(response, channel.eventLoop());
            if (credential != null) {
                exchange.credential(credential);
            }
            channel.writeInbound(exchange);
            return new AdmissionResult(exchange, response, channel);
        }

        AdmissionResult poll() {
            RecordedResponse response = new RecordedResponse();
            Exchange exchange = unmatched(response, channel.eventLoop());
            limits.rooms().serve(exchange);
            return new AdmissionResult(exchange, response, channel);
        }

        /** Returns the same request as an exchange of the given loop, with its route. */
        Exchange exchange(RecordedResponse response, EventLoop loop) {
            Exchange exchange = unmatched(response, loop);
            RoutingSnapshot.of(exchange).routes().all().get(0).assignTo(exchange);
            return exchange;
        }

        private Exchange unmatched(RecordedResponse response, EventLoop loop) {
            ListenerInfo listener = new ListenerInfo("web", mode, "", "", CidrSet.NONE, false);
            Route route = TestRoute.with(
                    TestRoute.of(
                            pattern + "/", pattern, "/", "app", Route.Token.OFF, limit, preflight, Duration.ZERO, 0),
                    transform);
            ClientConnection client = new ClientConnection(listener, loop, inet(address), 40000, secure);
            Exchange exchange = RoutingSnapshot.of(List.of(route))
                    .with(lookup)
                    .rule(new Exchange(
                            client,
                            head,
                            new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW),
                            new Timeline(loop.ticker())));
            if (scheme != null) {
                exchange.clientScheme(scheme);
            }
            return response.of(exchange);
        }
    }

    private static InetAddress inet(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }

    /** Holds the exchange, response and channel of one request. */
    record AdmissionResult(Exchange exchange, RecordedResponse response, EmbeddedChannel channel) {

        /** Returns whether the request reached the next stage; consumes it. */
        boolean passed() {
            boolean found = false;
            for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
                found |= message == exchange;
            }
            return found;
        }

        int status() {
            return response.status();
        }

        String field(String name) {
            return response.value(FieldName.of(name));
        }

        List<String> setCookies() {
            return response.values(FieldName.SET_COOKIE);
        }

        /** Returns the cookie as the client sends it back; empty when none was set. */
        String cookie() {
            return field("set-cookie").split(";", 2)[0];
        }

        String body() {
            return response.body();
        }
    }
}
