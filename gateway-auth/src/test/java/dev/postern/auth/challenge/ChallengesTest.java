package dev.postern.auth.challenge;

import static dev.postern.auth.testing.TestExchange.FORWARD;
import static dev.postern.auth.testing.TestExchange.REVERSE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.challenge.AcceptedChallenges.Accepted;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ChallengeRule.Context;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChallengesTest {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final String OLD_LINE = KeyRing.newLine();
    private static final String NEW_LINE = KeyRing.newLine();
    private static final InetAddress CLIENT = InetAddress.getLoopbackAddress();
    private static final Route ROUTE = TestExchange.route("*/", Route.Token.REQUIRED, null);
    private static final Route WITH_ROOM = TestExchange.route("*/", Route.Token.REQUIRED, "site");

    private final ManualClock clock = new ManualClock(START);
    private byte[] epoch = "first".getBytes(UTF_8);
    private final Challenges challenges = challenges("default", OLD_LINE);

    @Test
    void challengesForEachIssuerInOrderWithTheConfiguredOrigins() {
        List<IssuedChallenge> issued = challenges.open(at(ROUTE), START);

        assertThat(issued).extracting(IssuedChallenge::issuer).containsExactly("one.example", "two.example");
        TokenChallenge first = TokenChallenge.decode(issued.get(0).encoded());
        assertThat(first).isNotNull();
        assertThat(first.tokenType()).isEqualTo(2);
        assertThat(first.issuerName()).isEqualTo("one.example");
        assertThat(first.originInfo()).isEqualTo("a.example,b.example");
        assertThat(first.redemptionContext()).hasSize(32);
    }

    @Test
    void hasMetersOfItsCaches() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        challenges.bind(registry);

        assertThat(registry.find("cache.size").tag("cache", "challenges").gauge())
                .isNotNull();
        assertThat(registry.find("cache.size")
                        .tag("cache", "challenges-by-network")
                        .gauge())
                .isNotNull();
    }

    @Test
    void replacesTheMetersOfEarlierSettingsAndKeepsOthers() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.counter("other", "cache", "spent");
        challenges("earlier", OLD_LINE).bind(registry);

        challenges.bind(registry);
        ask(ROUTE);

        assertThat(registry.get("cache.size").tag("cache", "challenges").gauge().value())
                .isEqualTo(1);
        assertThat(registry.find("other").counter()).isNotNull();
    }

    @Test
    void usesTheOriginNameOfAForwardListener() {
        TokenChallenge challenge = TokenChallenge.decode(challenges
                .open(new PresentationContext(ROUTE, FORWARD, CLIENT), START)
                .get(0)
                .encoded());

        assertThat(challenge).isNotNull();
        assertThat(challenge.originInfo()).isEqualTo("proxy.example");
    }

    @Test
    void acceptsItsOwnChallengeForTwoWindows() {
        byte[] challenge = ask(ROUTE);

        assertThat(find(challenge, ROUTE, START)).isNotNull();
        assertThat(find(challenge, ROUTE, START.plusSeconds(1199))).isNotNull();
        assertThat(find(challenge, ROUTE, START.plusSeconds(1229))).isNotNull();
        assertThat(find(challenge, ROUTE, START.plusSeconds(1230))).isNull();
        assertThat(find(challenge, ROUTE, START.minusSeconds(30))).isNotNull();
        assertThat(find(challenge, ROUTE, START.minusSeconds(31))).isNull();
    }

    @Test
    void lapsesAfterTwoWindowsAndEndsAfterSevenWithAWaitingRoom() {
        byte[] challenge = ask(WITH_ROOM);

        assertThat(found(challenge, WITH_ROOM, START.plusSeconds(1229)).lapsed())
                .isFalse();
        assertThat(found(challenge, WITH_ROOM, START.plusSeconds(1230)).lapsed())
                .isTrue();
        assertThat(found(challenge, WITH_ROOM, START.plusSeconds(4229)).lapsed())
                .isTrue();
        assertThat(find(challenge, WITH_ROOM, START.plusSeconds(4230))).isNull();
        assertThat(found(challenge, WITH_ROOM, START).until()).isEqualTo(START.plusSeconds(4260));
    }

    @Test
    void acceptsChallengesOnlyOnTheirRoute() {
        byte[] challenge = ask(ROUTE);

        assertThat(find(challenge, TestExchange.route("a/", Route.Token.REQUIRED, null), START))
                .isNull();
        assertThat(find(challenge, WITH_ROOM, START)).isNull();
        assertThat(challenges.find(
                        new PresentationContext(ROUTE, FORWARD, CLIENT), TokenChallenge.sha256(challenge), START))
                .isNull();
    }

    @Test
    void acceptsNoChallengeOfAPreviousEpoch() {
        byte[] oldChallenge = ask(ROUTE);
        epoch = "other".getBytes(UTF_8);

        assertThat(find(oldChallenge, ROUTE, START)).isNull();
        byte[] newChallenge = ask(ROUTE);
        assertThat(newChallenge).isNotEqualTo(oldChallenge);
        assertThat(find(newChallenge, ROUTE, START)).isNotNull();
    }

    @Test
    void readsAnEpochThatWasChangedInPlace() {
        byte[] oldChallenge = ask(ROUTE);
        epoch[0] ^= 1;

        assertThat(find(oldChallenge, ROUTE, START)).isNull();
    }

    @Test
    void agreesWithReplicasOfTheSameRing() {
        byte[] challenge = ask(ROUTE);

        Challenges replica = challenges("default", OLD_LINE);
        assertThat(replica.find(at(ROUTE), TokenChallenge.sha256(challenge), START.plusSeconds(20)))
                .isNotNull();
        assertThat(challenges("default", NEW_LINE).find(at(ROUTE), TokenChallenge.sha256(challenge), START))
                .isNull();
        assertThat(challenges("defaulT", OLD_LINE).find(at(ROUTE), TokenChallenge.sha256(challenge), START))
                .isNull();
    }

    @Test
    void acceptsChallengesFromBeforeARotationOfTheRing() {
        byte[] challenge = ask(ROUTE);

        Challenges rolled = challenges("default", NEW_LINE, OLD_LINE);
        assertThat(rolled.find(at(ROUTE), TokenChallenge.sha256(challenge), START))
                .isNotNull();
        assertThat(rolled.open(at(ROUTE), START).get(0).encoded()).isNotEqualTo(challenge);
    }

    @Test
    void returnsTheIssuerOfAChallenge() {
        byte[] second = challenges.open(at(ROUTE), START).get(1).encoded();

        assertThat(found(second, ROUTE, START).issuer()).isEqualTo("two.example");
    }

    @Test
    void challengesOnlyForTheIssuersOfTheRouteInOrder() {
        Route route = ruled(new ChallengeRule(List.of("two.example", "one.example"), "c.example", Context.WINDOW));
        Route second = ruled(new ChallengeRule(List.of("two.example"), "", Context.WINDOW));

        assertThat(challenges.open(at(route), START))
                .extracting(IssuedChallenge::issuer)
                .containsExactly("two.example", "one.example");
        assertThat(challenges.open(at(second), START))
                .extracting(IssuedChallenge::issuer)
                .containsExactly("two.example");
        TokenChallenge challenge = TokenChallenge.decode(ask(route));
        assertThat(challenge).isNotNull();
        assertThat(challenge.originInfo()).isEqualTo("c.example");
        assertThat(find(ask(ROUTE), second, START)).isNull();
    }

    @Test
    void bindsTokensToTheNetworkOfTheClientWhenConfigured() throws UnknownHostException {
        Route route = ruled(new ChallengeRule(List.of(), "", Context.PREFIX));
        Bytes32 challenge = TokenChallenge.sha256(
                challenges.open(from(route, "192.0.2.1"), START).get(0).encoded());
        Bytes32 asked6 = TokenChallenge.sha256(
                challenges.open(from(route, "2001:db8:1:100::1"), START).get(0).encoded());

        assertThat(challenges.find(from(route, "192.0.2.255"), challenge, START))
                .isNotNull();
        assertThat(challenges.find(from(route, "192.0.3.1"), challenge, START)).isNull();
        assertThat(challenges.find(from(route, "2001:db8:1:1ff::2"), asked6, START.plusSeconds(700)))
                .isNotNull();
        assertThat(challenges.find(from(route, "2001:db8:1:200::1"), asked6, START))
                .isNull();
        assertThat(challenges.find(from(route, "2001:db8:1:1ff::2"), asked6, START.plusSeconds(1300)))
                .isNull();
        assertThat(challenges("default", OLD_LINE).find(from(route, "192.0.2.9"), challenge, START))
                .as("another replica")
                .isNotNull();
    }

    @Test
    void leavesTheContextEmptyWhenConfigured() {
        Route route = ruled(new ChallengeRule(List.of(), "", Context.EMPTY));
        byte[] encoded = ask(route);
        TokenChallenge challenge = TokenChallenge.decode(encoded);

        assertThat(challenge).isNotNull();
        assertThat(challenge.redemptionContext()).isEmpty();
        assertThat(challenges.maxAge(at(route), START)).isEqualTo(-1);
        assertThat(found(encoded, route, START.plus(Duration.ofDays(300))).endless())
                .isTrue();
        epoch = "other".getBytes(UTF_8);
        assertThat(find(encoded, route, START)).as("no epoch in the context").isNotNull();
        assertThat(find(encoded, ROUTE, START)).isNull();
        assertThat(found(ask(ROUTE), ROUTE, START).endless()).isFalse();
    }

    @Test
    void cachesRoutesDespiteManyNetworks() throws UnknownHostException {
        Route route = ruled(new ChallengeRule(List.of(), "", Context.PREFIX));
        List<IssuedChallenge> oldChallenge = challenges.open(at(ROUTE), START);
        for (int i = 0; i < 20_000; i++) {
            challenges.open(from(route, "10." + (i >> 8) + "." + (i & 255) + ".1"), START);
        }

        assertThat(challenges.open(at(ROUTE), START)).isSameAs(oldChallenge);
    }

    private static Route ruled(ChallengeRule rule) {
        return new Route(
                "*/",
                "*",
                "/",
                "app",
                Route.Token.REQUIRED,
                null,
                Preflight.FORWARD,
                Duration.ZERO,
                0,
                rule,
                RouteTransform.PLAIN,
                MinBodyRate.NONE);
    }

    private static PresentationContext from(Route route, String address) throws UnknownHostException {
        return new PresentationContext(route, REVERSE, InetAddress.getByName(address));
    }

    private byte[] ask(Route route) {
        return challenges.open(at(route), clock.instant()).get(0).encoded();
    }

    private Accepted found(byte[] challenge, Route route, Instant now) {
        Accepted accepted = find(challenge, route, now);
        assertThat(accepted).isNotNull();
        return accepted;
    }

    private @Nullable Accepted find(byte[] challenge, Route route, Instant now) {
        return challenges.find(at(route), TokenChallenge.sha256(challenge), now);
    }

    private static PresentationContext at(Route route) {
        return new PresentationContext(route, REVERSE, CLIENT);
    }

    private Challenges challenges(String namespace, String... lines) {
        ChallengeWindows windows = new ChallengeWindows(Duration.ofMinutes(10), Duration.ofSeconds(30));
        return new Challenges(
                new Challenges.Settings(
                        namespace,
                        "a.example,b.example",
                        List.of("one.example", "two.example"),
                        List.of(TokenType.BLIND_RSA),
                        windows),
                KeyRing.of(List.of(lines)).prf("challenge"),
                () -> epoch);
    }
}
