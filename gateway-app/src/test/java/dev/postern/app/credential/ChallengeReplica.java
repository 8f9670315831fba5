package dev.postern.app.credential;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.challenge.ChallengeWindows;
import dev.postern.auth.challenge.Challenges;
import dev.postern.auth.challenge.PresentationContext;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.token.TokenType;
import dev.postern.core.config.HostPort;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRoute;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Creates challenges of the gateway under test for any time and route, from the same ring, ledger and settings. */
final class ChallengeReplica implements AutoCloseable {

    static final Duration WINDOW = Duration.ofMinutes(10);

    private final SpendLedger ledger;
    private final Challenges challenges;
    private final Challenges otherNamespace;

    /** @param issuers the first one is used first */
    ChallengeReplica(KeyRing ring, String memcached, String originNames, List<String> issuers) {
        ledger = SpendLedgers.open(
                KeyDefaults.of(
                        LedgerSettings.class,
                        Map.of(
                                "store",
                                LedgerSettings.Store.MEMCACHED,
                                "memcached",
                                KeyDefaults.of(
                                        LedgerSettings.Memcached.class,
                                        Map.of("servers", List.of(HostPort.of(memcached)))))),
                new LedgerEnvironment(
                        "default",
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        Ticker.systemTicker(),
                        List.of()));
        challenges = challenges(ring, "default", originNames, issuers);
        otherNamespace = challenges(ring, "other", originNames, issuers);
    }

    private Challenges challenges(KeyRing ring, String namespace, String originNames, List<String> issuers) {
        return new Challenges(
                new Challenges.Settings(
                        namespace,
                        originNames,
                        issuers,
                        List.of(TokenType.BLIND_RSA),
                        new ChallengeWindows(WINDOW, Duration.ofSeconds(30))),
                ring.prf("challenge"),
                ledger::epoch);
    }

    /** Returns the challenge of the first issuer for that context and time. */
    byte[] challenge(PresentationContext context, Instant when) {
        return challenges.open(context, when).get(0).encoded();
    }

    /** Returns challenges of other times, routes and issuers. */
    ForeignChallenges foreign(RequestForm form, Instant now) {
        PresentationContext here = context(form);
        return new ForeignChallenges(
                challenge(form == RequestForm.ORIGIN_FORM ? reverse("*/other") : context(RequestForm.ORIGIN_FORM), now),
                challenges.open(here, now).get(1).encoded(),
                otherNamespace.open(here, now).get(0).encoded(),
                challenge(here, now.minus(WINDOW)),
                challenge(here, now.minus(WINDOW.multipliedBy(3))),
                challenge(here, now.plus(WINDOW.multipliedBy(2))));
    }

    static PresentationContext context(RequestForm form) {
        return form == RequestForm.ORIGIN_FORM
                ? reverse("*/")
                : new PresentationContext(
                        route("forward:default", Preflight.REFUSE),
                        new ListenerInfo("out", ListenerInfo.Mode.FORWARD, "default", "", CidrSet.NONE, false),
                        InetAddress.getLoopbackAddress());
    }

    private static PresentationContext reverse(String name) {
        return new PresentationContext(
                route(name, Preflight.FORWARD),
                new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false),
                InetAddress.getLoopbackAddress());
    }

    private static Route route(String name, Preflight preflight) {
        return TestRoute.of(name, "*", "/", "app", Route.Token.REQUIRED, null, preflight, Duration.ZERO, 0);
    }

    @Override
    public void close() {
        ledger.close();
    }
}
