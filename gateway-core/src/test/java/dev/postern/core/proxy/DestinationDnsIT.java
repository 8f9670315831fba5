package dev.postern.core.proxy;

import static dev.postern.core.testing.DnsReply.noSuchName;
import static dev.postern.core.testing.DnsReply.serverFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.dns.DualStackResolverGroup;
import dev.postern.core.dns.NameServers;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.DnsReply;
import dev.postern.core.testing.FakeNameServer;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests tunnels to names with a name server that stalls, lies, truncates and changes its mind. The destination is at 127.0.0.2, which the
 * policy permits; it stands for a public address, and every other one for a forbidden address.
 */
@ExtendWith(LeakExtension.class)
class DestinationDnsIT {

    private static final String GOOD = "A 127.0.0.2";
    private static final String PRIVATE = "A 127.1.0.1";

    /** Longer than any pause of a busy machine. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Duration SHORT = Duration.ofMillis(200);

    /** Longer than a pause of a busy machine, for queries of which some have a response. */
    private static final Duration MEDIUM = Duration.ofSeconds(2);

    private final TestOrigin origin = new TestOrigin("127.0.0.2", 0);
    private final FakeNameServer second = new FakeNameServer();
    private final FakeNameServer names = new FakeNameServer();
    private CoreGateway gateway = gateway(LONG, LONG);

    @AfterEach
    void close() throws IOException {
        gateway.close();
        names.close();
        second.close();
        origin.close();
    }

    /** Returns a gateway that waits so long for each query, and so long for one family after the other one. */
    private CoreGateway gateway(Duration query, Duration delay) {
        return new CoreGateway(Setup.of(origin.address())
                .forward(List.of("1-65535"), List.of("127.0.0.2/32", "::1/128"))
                .names(transport -> new DualStackResolverGroup(
                        new NameServers(
                                transport,
                                new SequentialDnsServerAddressStreamProvider(names.socket(), second.socket())),
                        query,
                        delay)));
    }

    private void restart(Duration query, Duration delay) {
        gateway.close();
        gateway = gateway(query, delay);
    }

    private RawClient.Response connect(String host) {
        String authority = host + ":" + origin.port();
        try (RawClient client = new RawClient(gateway.forwardPort())) {
            RawClient.Response response = client.send(
                            "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n")
                    .readConnect();
            return response.status() == 200 ? client.get("/inside") : response;
        }
    }

    private void assertReaches(String host) {
        assertThat(connect(host).body()).isEqualTo("hello");
    }

    private void assertRefuses(String host, int status, String error) {
        int before = origin.connections();
        RawClient.Response refused = connect(host);
        assertThat(refused.field("Proxy-Status")).isEqualTo("postern; error=" + error);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(origin.connections()).isEqualTo(before);
    }

    private void assertForbids(String host) {
        assertRefuses(host, 403, "destination_ip_prohibited");
    }

    @Test
    void queriesEachFamilyOnce() {
        names.respond("A x.example", DnsReply.of(GOOD)).respond("AAAA x.example", DnsReply.of("AAAA 127.0.0.2"));
        assertReaches("x.example");
        assertThat(names.questions()).containsExactlyInAnyOrder("A x.example", "AAAA x.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AAAA fd00::1",
                "AAAA fe80::1",
                "AAAA 2001:db8::1",
                "AAAA 127.1.0.1", // IPv4-mapped
                "AAAA 64:ff9b::7f00:2", // NAT64 of the permitted address
                "AAAA 64:ff9b:1::7f00:2",
                "AAAA 2002:7f00:2::",
                "AAAA ::",
            })
    void onePrivateAddressOfTheOtherFamilyForbidsAName(String other) {
        names.respond("A x.example", DnsReply.of(GOOD)).respond("AAAA x.example", DnsReply.of(other));
        assertForbids("x.example");
        names.respond("AAAA y.example", DnsReply.of(other));
        assertForbids("y.example");
    }

    @Test
    void onePrivateAddressAmongSeveralForbidsAName() {
        names.respond("A x.example", DnsReply.of(GOOD, PRIVATE));
        assertForbids("x.example");
        names.respond("A y.example", DnsReply.of(PRIVATE)).respond("AAAA y.example", DnsReply.of("AAAA 127.0.0.2"));
        assertForbids("y.example");
    }

    @Test
    void readsAMappedAddressAsTheAddressInside() {
        names.respond("AAAA x.example", DnsReply.of("AAAA 127.0.0.2"));
        assertReaches("x.example");
    }

    @Test
    void triesTheOtherFamilyWhenNothingListensAtTheFirst() {
        names.respond("A x.example", DnsReply.of(GOOD)).respond("AAAA x.example", DnsReply.of("AAAA ::1"));
        assertReaches("x.example");
    }

    @Test
    void followsAnAliasToItsLastAddress() {
        names.respond("A x.example", DnsReply.of("CNAME inside.example", PRIVATE));
        assertForbids("x.example");
        names.respond("A y.example", DnsReply.of("CNAME alias.example"))
                .respond("AAAA y.example", DnsReply.of("CNAME alias.example"))
                .respond("A alias.example", DnsReply.of(GOOD))
                .respond("AAAA alias.example", DnsReply.of("AAAA fd00::1"));
        assertForbids("y.example");
        names.respond("A z.example", DnsReply.of("CNAME other.example")).respond("A other.example", DnsReply.of(GOOD));
        assertReaches("z.example");
    }

    @Test
    void anAliasThatPointsToItselfEnds() {
        names.respond("A x.example", DnsReply.of("CNAME y.example"))
                .respond("A y.example", DnsReply.of("CNAME x.example"))
                .respond("AAAA x.example", DnsReply.of("CNAME x.example"));
        assertRefuses("x.example", 502, "dns_error");
    }

    @Test
    void takesNoAddressOfAnotherName() {
        names.respond(
                "A x.example", DnsReply.of("CNAME y.example", PRIVATE).toQuestion("z.example"), DnsReply.of(GOOD));
        assertReaches("x.example");
    }

    @Test
    void refusesANameThatDoesNotExistOrHasNoAddress() {
        names.respond("A x.example", noSuchName()).respond("AAAA x.example", noSuchName());
        assertRefuses("x.example", 502, "dns_error");
        assertThat(names.questions()).as("no search domains").allMatch(question -> question.endsWith(" x.example"));
        assertRefuses("y.example", 502, "dns_error");
        names.respond("A z.example", serverFailure()).respond("AAAA z.example", serverFailure());
        assertRefuses("z.example", 502, "dns_error");
    }

    @Test
    void refusesWhenNoServerResponds() {
        restart(SHORT, LONG);
        silent(names, "x.example");
        silent(second, "x.example");
        assertRefuses("x.example", 504, "dns_timeout");
        assertThat(second.questions()).contains("A x.example", "AAAA x.example");
    }

    @Test
    void reportsTheTimeoutWhenTheOtherFamilyDoesNotExist() {
        restart(SHORT, LONG);
        names.respond("A x.example");
        second.respond("A x.example");
        assertRefuses("x.example", 504, "dns_timeout");
        names.respond("AAAA y.example");
        second.respond("AAAA y.example");
        assertRefuses("y.example", 504, "dns_timeout");
    }

    @Test
    void queriesTheSecondServerWhenTheFirstStalls() {
        restart(MEDIUM, LONG);
        silent(names, "x.example");
        second.respond("A x.example", DnsReply.of(GOOD));
        assertReaches("x.example");
    }

    private static void silent(FakeNameServer server, String name) {
        server.respond("A " + name).respond("AAAA " + name);
    }

    @Test
    void connectsWhileTheOtherFamilyStalls() {
        restart(LONG, SHORT);
        names.respond("A x.example", DnsReply.of(GOOD)).respond("AAAA x.example");
        assertReaches("x.example");
        names.respond("A y.example").respond("AAAA y.example", DnsReply.of("AAAA 127.0.0.2"));
        assertReaches("y.example");
        names.respond("A z.example").respond("AAAA z.example", DnsReply.of("AAAA fd00::1"));
        assertForbids("z.example");
    }

    @Test
    void ignoresForgedResponses() {
        DnsReply lie = DnsReply.of(PRIVATE + " 60");
        names.respond(
                "A x.example",
                lie.withWrongId(),
                lie.toQuestion("y.example"),
                lie.fromElsewhere(),
                lie.withWrongId().cut(),
                DnsReply.of(GOOD));
        assertReaches("x.example");
        assertThat(names.questions()).containsOnlyOnce("A x.example").doesNotContain("tcp A x.example");
    }

    @Test
    void queriesFromAnotherPortEachTime() {
        for (int i = 0; i < 8; i++) {
            String name = "n" + i + ".example";
            names.respond("A " + name, DnsReply.of(GOOD));
            assertReaches(name);
        }
        long ports = names.queries().stream()
                .map(FakeNameServer.Query::port)
                .distinct()
                .count();
        assertThat(ports).isGreaterThan(8);
    }

    @Test
    void repeatsTruncatedResponsesOverTcp() {
        names.respond("A x.example", DnsReply.of().cut()).respond("tcp A x.example", DnsReply.of(GOOD));
        assertReaches("x.example");
        names.respond("A y.example", DnsReply.of(GOOD).cut()).respond("tcp A y.example", DnsReply.of(GOOD, PRIVATE));
        assertForbids("y.example");
        names.respond("A z.example", DnsReply.of(GOOD))
                .respond("AAAA z.example", DnsReply.of().cut())
                .respond("tcp AAAA z.example", DnsReply.of("AAAA fd00::1"));
        assertForbids("z.example");
    }

    @Test
    void checksATruncatedResponseThatCannotBeRepeated() throws IOException {
        names.withoutTcp();
        names.respond("A x.example", DnsReply.of(GOOD).cut());
        assertReaches("x.example");
        names.respond("A y.example", DnsReply.of(GOOD, PRIVATE).cut());
        assertForbids("y.example");
    }

    @Test
    void refusesWhenTheRepeatedQueryStalls() {
        restart(MEDIUM, LONG);
        names.respond("A x.example", DnsReply.of().cut()).respond("tcp A x.example");
        names.respond("AAAA x.example", noSuchName());
        second.respond("A x.example");
        assertRefuses("x.example", 504, "dns_timeout");
        assertThat(names.questions()).contains("tcp A x.example");
    }

    @Test
    void connectsToTheAddressThatItChecked() {
        names.respond("A x.example", DnsReply.of(GOOD)).respond("A x.example", DnsReply.of(PRIVATE));
        names.respond("AAAA x.example", DnsReply.of("AAAA 127.0.0.2"));
        assertReaches("x.example");
        assertThat(names.questions()).containsExactlyInAnyOrder("A x.example", "AAAA x.example");
        assertForbids("x.example");
        assertThat(names.questions()).hasSize(4);
    }

    @Test
    void keepsAddressesForTheirTimeToLive() {
        names.respond("A x.example", DnsReply.of(GOOD + " 60")).respond("A x.example", DnsReply.of(PRIVATE));
        assertReaches("x.example");
        assertReaches("x.example");
        assertThat(names.questions()).containsOnlyOnce("A x.example").containsOnlyOnce("AAAA x.example");
    }

    @Test
    void queriesNoServerForLiteralsAndNamesOfTheHostsFile() {
        assertReaches("127.0.0.2");
        assertForbids("127.1.0.1");
        names.respond("A localhost", DnsReply.of(GOOD)).respond("AAAA localhost", DnsReply.of("AAAA 127.0.0.2"));
        assertThat(connect("localhost").body()).isNotEqualTo("hello");
        assertThat(names.questions()).isEmpty();
    }
}
