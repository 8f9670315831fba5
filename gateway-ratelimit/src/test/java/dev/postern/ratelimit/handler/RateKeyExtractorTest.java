package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.FairQueueSettings.Tenants;
import dev.postern.ratelimit.store.TenantKey;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the hashes by which networks and tenants are counted. */
class RateKeyExtractorTest {

    private final AdmissionFixture stage = AdmissionFixture.room();
    private final RateKeyExtractor extractor =
            new RateKeyExtractor(KeyRing.random().prf("limit-key"));

    @AfterEach
    void close() {
        stage.close();
    }

    private Exchange from(String address) {
        return stage.get("/").from(address).exchange(new RecordedResponse(), stage.channel.eventLoop());
    }

    @Test
    void aNetworkIsAnIpv4AddressOrA64() {
        assertThat(extractor.network(from("192.0.2.1")))
                .hasSize(8)
                .doesNotContain("192")
                .isNotEqualTo(extractor.network(from("192.0.2.2")))
                .isEqualTo(extractor.network(from("64:ff9b::192.0.2.1")))
                .isEqualTo(extractor.network(from("2002:c000:201:7::9")));
        assertThat(extractor.network(from("2001:db8::1")))
                .isEqualTo(extractor.network(from("2001:db8::ffff:1")))
                .isNotEqualTo(extractor.network(from("2001:db8:0:1::1")));
    }

    @Test
    void aClientWithA64IsOneTenant() {
        Tenants byAddress = new Tenants(TenantKey.of("client-address"), Map.of());
        FairQueueSettings room = AdmissionFixture.fairQueue(RoomPer.RULE, 1, Rate.of("0"), byAddress);
        Set<String> tenants = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            tenants.add(extractor.share(room, from("2001:db8::" + i)).tenant());
        }
        assertThat(tenants).hasSize(1);
    }
}
