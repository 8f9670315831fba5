package dev.postern.core.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.connect.FakeLoops;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointSelector;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the endpoints of names whose addresses change; lookups are 5 s apart. */
class DnsEndpointResolverTest {

    private static final Duration NEXT_LOOKUP = Duration.ofSeconds(5);

    private final FakeLoops loops = new FakeLoops();
    private final EventLoop loop = loops.loop();
    private final FakeNames names = new FakeNames();

    private Upstream watched(String... endpoints) {
        Upstream upstream =
                new UpstreamSetup().endpoints(endpoints).names(names).upstream(loops);
        upstream.watch(loop);
        loops.run();
        return upstream;
    }

    private static List<String> addresses(Upstream upstream) {
        return upstream.endpoints().all().stream().map(Endpoint::name).toList();
    }

    private static List<String> hosts(Upstream upstream) {
        return upstream.endpoints().all().stream()
                .map(endpoint -> Objects.requireNonNull(endpoint.host()).value())
                .toList();
    }

    @Test
    void eachAddressOfANameIsAnEndpointInAStableOrder() {
        names.set("app.example", "192.0.2.2", "192.0.2.1", "192.0.2.2");
        Upstream upstream = watched("dns:app.example:80", "other.example:81");
        assertThat(addresses(upstream)).containsExactly("192.0.2.1:80", "192.0.2.2:80", "other.example:81");
        assertThat(names.asked()).as("only names with dns:").containsExactly("app.example");
    }

    @Test
    void aNameThatDoesNotResolveYetIsOneEndpoint() {
        Upstream upstream = watched("dns:app.example:80");
        assertThat(addresses(upstream)).containsExactly("app.example:80");
        names.set("app.example", "192.0.2.1");
        loops.pass(NEXT_LOOKUP);
        assertThat(addresses(upstream)).containsExactly("192.0.2.1:80");
    }

    @Test
    void addressesThatStayKeepTheirEndpoint() {
        names.set("app.example", "192.0.2.1", "192.0.2.2");
        Upstream upstream = watched("dns:app.example:80 weight=3");
        List<Endpoint> before = upstream.endpoints().all();
        names.set("app.example", "192.0.2.2", "192.0.2.3");
        loops.pass(NEXT_LOOKUP);
        List<Endpoint> after = upstream.endpoints().all();
        assertThat(addresses(upstream)).containsExactly("192.0.2.2:80", "192.0.2.3:80");
        assertThat(after.get(0)).isSameAs(before.get(1));
        assertThat(after).extracting(Endpoint::weight).containsOnly(3);
        assertThat(before.get(0).retired()).isTrue();
        assertThat(after).noneMatch(Endpoint::retired);
    }

    @Test
    void anUnchangedAnswerChangesNothing() {
        names.set("app.example", "192.0.2.1", "192.0.2.2");
        Upstream upstream = watched("dns:app.example:80");
        Object before = upstream.endpoints();
        names.set("app.example", "192.0.2.2", "192.0.2.1");
        loops.pass(NEXT_LOOKUP);
        assertThat(upstream.endpoints()).isSameAs(before);
        assertThat(names.asked()).hasSize(2);
    }

    @Test
    void aLookupThatFailsOrFindsNothingKeepsTheAddresses() {
        names.set("app.example", "192.0.2.1");
        Upstream upstream = watched("dns:app.example:80");
        names.fail("app.example");
        loops.pass(NEXT_LOOKUP);
        assertThat(addresses(upstream)).containsExactly("192.0.2.1:80");
        names.set("app.example");
        loops.pass(NEXT_LOOKUP);
        assertThat(addresses(upstream)).containsExactly("192.0.2.1:80");
        assertThat(names.asked()).hasSize(3);
    }

    @Test
    void twoNamesWithOneAddressAreTwoEndpoints() {
        names.set("a.example", "192.0.2.1");
        names.set("b.example", "192.0.2.1");
        Upstream upstream = watched("dns:a.example:80", "dns:b.example:80", "dns:b.example:81");
        assertThat(addresses(upstream)).containsExactly("192.0.2.1:80", "192.0.2.1:80", "192.0.2.1:81");
        assertThat(upstream.endpoints().all()).doesNotHaveDuplicates();
    }

    @Test
    void anotherWeightIsAnotherEndpoint() {
        names.set("a.example", "192.0.2.1");
        names.set("b.example", "192.0.2.2");
        Upstream upstream = watched("dns:a.example:80 weight=1", "dns:b.example:80 weight=2");
        Endpoint heavy = upstream.endpoints().all().get(1);
        names.set("a.example", "192.0.2.2");
        names.set("b.example", "192.0.2.1");
        loops.pass(NEXT_LOOKUP);
        assertThat(upstream.endpoints().all()).extracting(Endpoint::weight).containsExactly(1, 2);
        assertThat(upstream.endpoints().all()).doesNotContain(heavy);
        assertThat(heavy.retired()).isTrue();
    }

    /** Two names may have one address, of which each serves its own virtual host. */
    @Test
    void anAddressThatMovesToAnotherNameGetsTheHostOfThatName() {
        names.set("a.example", "192.0.2.1");
        names.set("b.example", "192.0.2.2");
        Upstream upstream = new UpstreamSetup()
                .endpoints("dns:a.example:80", "dns:b.example:8080", "dns:b.example:80")
                .host("endpoint")
                .names(names)
                .upstream(loops);
        upstream.watch(loop);
        loops.run();
        assertThat(hosts(upstream)).containsExactly("a.example", "b.example:8080", "b.example");
        names.set("a.example", "192.0.2.2");
        names.set("b.example", "192.0.2.1");
        loops.pass(NEXT_LOOKUP);
        assertThat(addresses(upstream)).containsExactly("192.0.2.2:80", "192.0.2.1:8080", "192.0.2.1:80");
        assertThat(hosts(upstream)).containsExactly("a.example", "b.example:8080", "b.example");
    }

    @Test
    void endpointsHaveTheFixedHost() {
        names.set("app.example", "192.0.2.1", "192.0.2.2");
        Upstream upstream = new UpstreamSetup()
                .endpoints("dns:app.example:80")
                .host("shop.example")
                .names(names)
                .upstream(loops);
        upstream.watch(loop);
        loops.run();
        assertThat(hosts(upstream)).containsExactly("shop.example", "shop.example");
    }

    @Test
    void anAddressThatIsAddedStartsSlowly() {
        names.set("app.example", "192.0.2.1");
        Upstream upstream = new UpstreamSetup()
                .endpoints("192.0.2.9:80", "dns:app.example:80")
                .roundRobin()
                .slowStart(Duration.ofSeconds(10))
                .names(names)
                .upstream(loops);
        upstream.watch(loop);
        loops.run();
        EndpointSelector selector = new EndpointSelector(upstream.settings(), 1);
        Endpoint added = upstream.endpoints().all().get(1);
        long chosen = IntStream.range(0, 110)
                .filter(i -> selector.choose(upstream.endpoints(), 0, loops.now(), null) == added)
                .count();
        assertThat(chosen).as("one of eleven").isEqualTo(10);
    }

    @Test
    void lookupsEndWithTheWatch() throws Exception {
        Upstream upstream =
                new UpstreamSetup().endpoints("dns:app.example:80").names(names).upstream(loops);
        try (AutoCloseable watch = upstream.watch(loop)) {
            loops.run();
            assertThat(watch).isNotNull();
        }
        loops.pass(NEXT_LOOKUP.multipliedBy(3));
        assertThat(names.asked()).hasSize(1);
    }

    @Test
    void aRetiredUpstreamIgnoresTheLookupUnderWay() {
        names.hold();
        Upstream upstream = watched("dns:app.example:80");
        Endpoint before = upstream.endpoints().all().get(0);
        upstream.retire();
        names.set("app.example", "192.0.2.1");
        names.release();
        loops.run();
        assertThat(upstream.endpoints().all()).containsExactly(before);
        assertThat(before.retired()).isTrue();
    }

    @Test
    void anUpstreamWithoutNamesIsNotLookedUp() {
        watched("app.example:80", "192.0.2.1:80", "dns:192.0.2.1:80");
        loops.pass(NEXT_LOOKUP);
        assertThat(names.asked()).isEmpty();
    }
}
