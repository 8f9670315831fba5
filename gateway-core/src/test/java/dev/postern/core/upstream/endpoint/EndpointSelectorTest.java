package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Share;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.EndpointRule;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.TcpKeepAlive;
import dev.postern.core.upstream.endpoint.UpstreamSettings.Balance.Kind;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests three balancing algorithms with weighted endpoints, ejected endpoints, and endpoints that were already tried. */
class EndpointSelectorTest {

    private static final long NOW = 0;
    private static final int CHOICES = 6_000;

    private static UpstreamSettings settings(Kind kind) {
        return settings(new UpstreamSettings.Balance(kind, HashPolicy.CLIENT_ADDRESS));
    }

    private static UpstreamSettings settings(UpstreamSettings.Balance balance) {
        return new UpstreamSettings(
                "app",
                List.of(),
                balance,
                new UpstreamSettings.Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1)),
                KeyDefaults.of(UpstreamSettings.Pool.class),
                KeyDefaults.of(UpstreamSettings.Retry.class),
                KeyDefaults.of(UpstreamSettings.Health.class),
                KeyDefaults.of(UpstreamSettings.Breaker.class),
                new SocketOptions(true, "", 0, TcpKeepAlive.OFF, UnpooledByteBufAllocator.DEFAULT),
                UpstreamSettings.ProxyProtocol.OFF,
                UpstreamSettings.Expect.FORWARD,
                HostRule.PASS);
    }

    private static List<Endpoint> servers(int... weights) {
        return IntStream.range(0, weights.length)
                .mapToObj(i -> new Endpoint(
                        InetSocketAddress.createUnresolved("server-" + i, 80),
                        weights[i],
                        new EndpointHealth(KeyDefaults.of(UpstreamSettings.Health.class))))
                .toList();
    }

    private static void eject(Endpoint endpoint) {
        for (int i = 0; i < 5; i++) {
            endpoint.health().bad(true, NOW);
        }
    }

    private static final class Chooser {

        private final EndpointSelector selector;
        private final EndpointSet set;
        private final List<Endpoint> servers;

        Chooser(Kind kind, List<Endpoint> servers) {
            this.servers = servers;
            selector = new EndpointSelector(settings(kind), 42);
            set = EndpointSet.of(servers, settings(kind).balance());
        }

        /** Returns the index of the chosen endpoint. */
        int next(int key) {
            return servers.indexOf(selector.choose(set, HashRing.hash("client-" + key), NOW, null));
        }

        Map<Integer, Integer> shares() {
            Map<Integer, Integer> shares = new HashMap<>();
            IntStream.range(0, CHOICES).forEach(i -> shares.merge(next(i), 1, Integer::sum));
            return shares;
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachGetsItsShare(Kind kind) {
        Map<Integer, Integer> shares = new Chooser(kind, servers(1, 2, 3)).shares();
        for (int i = 0; i < 3; i++) {
            assertThat((double) shares.getOrDefault(i, 0) / CHOICES)
                    .isBetween((i + 1) / 6.0 * 0.75, (i + 1) / 6.0 * 1.25);
        }
    }

    @Test
    void distributesChoicesEvenly() {
        Chooser chooser = new Chooser(Kind.ROUND_ROBIN, servers(4, 1, 1));
        List<Integer> choices = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            choices.add(chooser.next(0));
        }
        assertThat(choices).containsExactly(0, 0, 1, 0, 2, 0);
    }

    @Test
    void choosesTheLessBusyOfTwo() {
        List<Endpoint> servers = servers(1, 1);
        for (int i = 0; i < 5; i++) {
            servers.get(0).begun();
        }
        Map<Integer, Integer> shares = new Chooser(Kind.LEAST_OF_TWO, servers).shares();
        assertThat((double) shares.getOrDefault(0, 0) / CHOICES)
                .as("only when drawn twice")
                .isBetween(0.22, 0.28);
    }

    @Test
    void comparesLoadPerWeight() {
        List<Endpoint> servers = servers(1, 10);
        servers.get(0).begun();
        for (int i = 0; i < 5; i++) {
            servers.get(1).begun();
        }
        Map<Integer, Integer> shares = new Chooser(Kind.LEAST_OF_TWO, servers).shares();
        assertThat(shares.getOrDefault(0, 0)).isLessThan(CHOICES / 50);
    }

    @ParameterizedTest
    @EnumSource
    void skipsEjectedEndpoints(Kind kind) {
        List<Endpoint> servers = servers(1, 1, 1);
        eject(servers.get(1));
        assertThat(new Chooser(kind, servers).shares()).containsOnlyKeys(0, 2);
    }

    @ParameterizedTest
    @EnumSource
    void usesAllWhenMostAreEjected(Kind kind) {
        List<Endpoint> servers = servers(1, 1, 1);
        eject(servers.get(0));
        eject(servers.get(1));
        assertThat(new Chooser(kind, servers).shares()).containsOnlyKeys(0, 1, 2);
    }

    @ParameterizedTest
    @EnumSource
    void avoidsTheFailedEndpointUnlessItIsTheOnlyOne(Kind kind) {
        List<Endpoint> servers = servers(1, 1);
        EndpointSelector selector = new EndpointSelector(settings(kind), 1);
        EndpointSet set = EndpointSet.of(servers, settings(kind).balance());
        for (int i = 0; i < 100; i++) {
            assertThat(selector.choose(set, HashRing.hash("" + i), NOW, servers.get(0)))
                    .isSameAs(servers.get(1));
        }
        eject(servers.get(1));
        assertThat(selector.choose(set, 5, NOW, servers.get(0))).isSameAs(servers.get(0));
    }

    @Test
    void removingAServerMovesOnlyItsKeys() {
        List<Endpoint> five = servers(1, 1, 1, 1, 1);
        Chooser all = new Chooser(Kind.RING_HASH, five);
        Chooser without = new Chooser(Kind.RING_HASH, five.subList(0, 4));
        for (int key = 0; key < 1_000; key++) {
            int previous = all.next(key);
            if (previous < 4) {
                assertThat(without.next(key)).isEqualTo(previous);
            }
        }
    }

    @Test
    void aKeyKeepsItsServer() {
        Chooser firstLoop = new Chooser(Kind.RING_HASH, servers(1, 2, 3));
        Chooser otherLoop = new Chooser(Kind.RING_HASH, servers(1, 2, 3));
        for (int key = 0; key < 100; key++) {
            assertThat(otherLoop.next(key)).isEqualTo(firstLoop.next(key)).isEqualTo(firstLoop.next(key));
        }
    }

    // ---- rules of extensions

    private static EndpointSelector selector(UpstreamSettings.Balance balance) {
        return new EndpointSelector(settings(balance), 42);
    }

    /** Balances by a rule that returns an index, and notes which servers it could choose. */
    private static UpstreamSettings.Balance rule(int index, List<String> offered) {
        return UpstreamSettings.Balance.by(new ExtensionBalance() {
            @Override
            public long key(Exchange exchange) {
                return 17;
            }

            @Override
            public EndpointRule.Chooser open() {
                return (servers, key) -> {
                    offered.add(key
                            + servers.stream()
                                    .map(server -> " " + server.name())
                                    .reduce("", String::concat));
                    return index;
                };
            }
        });
    }

    @Test
    void aRuleChoosesAmongTheServersThatCanBeUsed() {
        List<Endpoint> servers = servers(1, 1, 1);
        eject(servers.get(0));
        List<String> offered = new ArrayList<>();
        UpstreamSettings.Balance balance = rule(1, offered);
        assertThat(selector(balance).choose(EndpointSet.of(servers, balance), 5, NOW, null))
                .isSameAs(servers.get(2));
        assertThat(offered).containsExactly("5 server-1:80 server-2:80");
    }

    @Test
    void aRuleIsNotAskedAboutASingleServer() {
        List<Endpoint> servers = servers(1, 1);
        List<String> offered = new ArrayList<>();
        UpstreamSettings.Balance balance = rule(0, offered);
        EndpointSet set = EndpointSet.of(servers, balance);
        assertThat(selector(balance).choose(set, 5, NOW, servers.get(1))).isSameAs(servers.get(0));
        assertThat(offered).isEmpty();
    }

    @Test
    void aRuleThatChoosesNoneLeavesTheChoiceToTheGateway() {
        List<Endpoint> servers = servers(1, 1);
        servers.get(0).begun();
        UpstreamSettings.Balance balance = rule(-1, new ArrayList<>());
        EndpointSelector selector = selector(balance);
        EndpointSet set = EndpointSet.of(servers, balance);
        Map<Endpoint, Integer> shares = new HashMap<>();
        for (int i = 0; i < CHOICES; i++) {
            shares.merge(selector.choose(set, i, NOW, null), 1, Integer::sum);
        }
        assertThat(shares.get(servers.get(1))).as("the less busy one").isGreaterThan(CHOICES / 2);
    }

    // ---- the set changes

    @Test
    void choosesFromALargerSetLater() {
        List<Endpoint> five = servers(1, 1, 1, 1, 1);
        EndpointSelector selector = new EndpointSelector(settings(Kind.ROUND_ROBIN), 1);
        UpstreamSettings.Balance balance = settings(Kind.ROUND_ROBIN).balance();
        List<Endpoint> chosen = new ArrayList<>();
        for (int count : List.of(2, 5, 5, 5, 5, 5)) {
            chosen.add(selector.choose(EndpointSet.of(five.subList(0, count), balance), 0, NOW, null));
        }
        assertThat(chosen).containsAll(five);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, false"})
    void usesAllWhenFewerThanTheShareAreUsable(int usable, boolean all) {
        List<Endpoint> servers = servers(1, 1, 1, 1);
        for (int i = usable; i < 4; i++) {
            eject(servers.get(i));
        }
        assertThat(new Chooser(Kind.ROUND_ROBIN, servers).shares()).hasSize(all ? 4 : usable);
    }

    @Test
    void aServerThatReturnsGetsItsShareSlowly() {
        List<Endpoint> servers = servers(1, 1);
        Endpoint slow = new Endpoint(
                InetSocketAddress.createUnresolved("slow", 80),
                1,
                new EndpointHealth(new UpstreamSettings.Health(
                        5,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1),
                        new Share(0),
                        Duration.ofSeconds(10),
                        KeyDefaults.of(UpstreamSettings.Check.class))));
        slow.health().warm(NOW);
        Map<Integer, Integer> shares = new Chooser(Kind.ROUND_ROBIN, List.of(servers.get(0), slow)).shares();
        assertThat((double) shares.getOrDefault(1, 0) / CHOICES).isBetween(0.08, 0.1);
    }

    @Test
    void everyServerDownIsKnown() {
        List<Endpoint> servers = servers(1, 1);
        EndpointSet set = EndpointSet.of(servers, settings(Kind.ROUND_ROBIN).balance());
        eject(servers.get(0));
        assertThat(set.down(NOW)).isFalse();
        eject(servers.get(1));
        assertThat(set.down(NOW)).isTrue();
    }

    @Test
    void roundRobinForgetsServersThatAreGone() {
        SmoothWeightedRoundRobin robin = new SmoothWeightedRoundRobin();
        double[] one = {1};
        for (int i = 0; i < 10_001; i++) {
            Endpoint[] only = {servers(1).get(0)};
            assertThat(robin.next(only, one, 1, 1)).isSameAs(only[0]);
        }
        List<Endpoint> two = servers(1, 1);
        Endpoint[] both = {two.get(0), two.get(1)};
        double[] weights = {1, 1};
        assertThat(robin.next(both, weights, 2, 2)).isSameAs(two.get(0));
        assertThat(robin.next(both, weights, 2, 2)).isSameAs(two.get(1));
    }
}
