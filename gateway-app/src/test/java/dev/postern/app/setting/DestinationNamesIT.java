package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.DnsReply;
import dev.postern.core.testing.FakeNameServer;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests the look-up of destinations of a whole gateway; DestinationDnsIT has the faults of name servers. */
class DestinationNamesIT {

    private static RawClient.Response connect(Site site, String destination) {
        try (RawClient client = new RawClient(site.gateway().listener("out").getPort())) {
            return client.send("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n")
                    .readConnect();
        }
    }

    @Test
    void bothFamiliesAreLookedUpAndTruncatedResponsesRepeated() throws IOException {
        try (FakeNameServer names = new FakeNameServer();
                TestOrigin origin = new TestOrigin();
                Site site = Site.forwarding(
                        "token: off, allow-ports: [\"1024-65535\"], allow-private: [127.0.0.1/32]",
                        "transport.name-servers=[\"127.0.0.1:" + names.socket().getPort() + "\"]")) {
            names.respond("A good.example", DnsReply.of().cut())
                    .respond("tcp A good.example", DnsReply.of("A 127.0.0.1"));
            // The permitted address takes a round trip more, so that the private one is there.
            names.respond("A mixed.example", DnsReply.of().cut())
                    .respond("tcp A mixed.example", DnsReply.of("A 127.0.0.1"))
                    .respond("AAAA mixed.example", DnsReply.of("AAAA fd00::1"));
            assertThat(connect(site, "good.example:" + origin.port()).status()).isEqualTo(200);
            RawClient.Response refused = connect(site, "mixed.example:" + origin.port());
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).contains("\"code\":\"destination-forbidden\"");
            assertThat(origin.connections()).isEqualTo(1);
        }
    }

    /** The prefix of the second gateway contains the loopback address, which then embeds 0.0.0.1. */
    @Test
    void anAddressInANat64PrefixNeedsItsIpv4Address() throws IOException {
        String open = "token: off, allow-ports: [\"1024-65535\"], allow-private: [\"::1/128\"]";
        try (TestOrigin origin = new TestOrigin();
                Site usual = Site.forwarding(open);
                Site translated = Site.forwarding(open, "transport.nat64-prefixes=[\"::/96\"]");
                Site both = Site.forwarding(
                        open.replace("\"::1/128\"", "\"::1/128\", 0.0.0.1/32"),
                        "transport.nat64-prefixes=[\"::/96\"]")) {
            String destination = "[::1]:" + origin.port();
            assertThat(connect(usual, destination).status()).isNotEqualTo(403);
            assertThat(connect(translated, destination).status()).isEqualTo(403);
            assertThat(connect(both, destination).status()).isNotEqualTo(403);
        }
    }
}
