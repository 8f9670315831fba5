package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.crypto.Prf;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.testing.TestRoute;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.FairQueueSettings.Tenants;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.TenantKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the hashes by which networks and tenants are counted. */
class RateKeyExtractorTest {

    private final AdmissionFixture stage = AdmissionFixture.room();
    private final Prf prf = KeyRing.random().prf("limit-key");
    private final RateKeyExtractor extractor = new RateKeyExtractor(() -> prf);

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

    private Exchange with(String field, String value, Route.Token token) {
        Exchange exchange =
                stage.get("/").with(field, value).exchange(new RecordedResponse(), stage.channel.eventLoop());
        TestRoute.of("r", "shop.example", "/", "app", token, "site", Preflight.FORWARD, Duration.ZERO, 0)
                .assignTo(exchange);
        return exchange;
    }

    private Exchange valued(String value) {
        return with("x-tenant", value, Route.Token.OPTIONAL);
    }

    private static RateLimitRule counting(String per, @Nullable String rate) {
        FairQueueSettings room = rate == null
                ? AdmissionFixture.fairQueue(RoomPer.RULE, 1, Rate.of("0"), AdmissionFixture.NO_TENANTS)
                : null;
        return new RateLimitRule(
                "site", rate == null ? null : Rate.of(rate), 0, RateKey.of(per), RateLimitRule.Store.EMBEDDED, room);
    }

    @ParameterizedTest
    @ValueSource(strings = {"header:x-tenant", "cookie:tenant"})
    void aValueOfTheClientIsItsKey(String per) {
        RateLimitRule rule = counting(per, "100/s");
        String field = per.startsWith("header") ? "x-tenant" : "cookie";
        String prefix = per.startsWith("header") ? "" : "tenant=";
        String one = extractor.key(rule, with(field, prefix + "a", Route.Token.OFF));
        assertThat(extractor.key(rule, with(field, prefix + "a", Route.Token.OFF)))
                .isEqualTo(one);
        assertThat(extractor.key(rule, with(field, prefix + "b", Route.Token.OFF)))
                .isNotEqualTo(one);
        assertThat(extractor.key(rule, with("x-other", "b", Route.Token.OFF)))
                .as("the empty value")
                .isNotEqualTo(one);
    }

    @Test
    void aNetworkWithTooManyValuesCountsAsOne() {
        RateLimitRule rule = counting("header:x-tenant", "1/h");
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 4_200; i++) {
            keys.add(extractor.key(rule, valued("v" + i)));
        }
        assertThat(keys).hasSize(4096 + 1).contains(extractor.address(valued("v")));
    }

    @Test
    void aRoomWithoutARateCountsEachValue() {
        RateLimitRule rule = counting("header:x-tenant", null);
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            keys.add(extractor.key(rule, valued("v" + i)));
        }
        assertThat(keys).hasSize(2_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "route", "client-address"})
    void aPreflightHasAKeyOfItsOwn(String per) {
        RateLimitRule rule = counting(per, "1/s");
        assertThat(extractor.preflightKey(rule, valued("a"))).isEqualTo("p~" + extractor.key(rule, valued("b")));
    }

    @Test
    void tenantsHaveTheirWeightsAndHoldersOfTokensAMultiple() {
        Tenants weighted = new Tenants(TenantKey.of("header:x-tenant"), Map.of("gold", 3));
        FairQueueSettings room = AdmissionFixture.fairQueue(RoomPer.RULE, 1, Rate.of("0"), weighted);
        TenantShare gold = extractor.share(room, valued("gold"));
        TenantShare other = extractor.share(room, valued("other"));
        assertThat(gold.weight()).isEqualTo(3);
        assertThat(gold.tenant()).startsWith("g");
        assertThat(other.weight()).isEqualTo(1);
        assertThat(other.tenant()).startsWith("gothers");

        Exchange holder = valued("gold");
        holder.credential(new Credential(new byte[16], false));
        assertThat(extractor.share(room, holder).tenant()).startsWith("h");
        assertThat(extractor
                        .share(room, with("x-tenant", "gold", Route.Token.OFF))
                        .tenant())
                .as("no token is asked for")
                .isEqualTo(gold.tenant());
    }

    @Test
    void withoutTenantsOnlyHoldersOfTokensAreTold() {
        FairQueueSettings room = AdmissionFixture.fairQueue(RoomPer.RULE, 1, Rate.of("0"), AdmissionFixture.NO_TENANTS);
        assertThat(extractor.share(room, with("x-tenant", "a", Route.Token.OFF)))
                .isEqualTo(TenantShare.NONE);
        assertThat(extractor.share(room, valued("a")).tenant()).startsWith("gothers");
    }

    @ParameterizedTest
    @EnumSource(RoomPer.class)
    void roomsOfALimitHaveItsName(RoomPer per) {
        FairQueueSettings room = AdmissionFixture.fairQueue(per, 1, Rate.of("0"), AdmissionFixture.NO_TENANTS);
        RateLimitRule rule = counting("host", "1/s");
        String id = extractor.room(rule, room, Route.of(valued("a")));
        assertThat(id).isEqualTo(per == RoomPer.RULE ? "site" : id).startsWith("site");
        assertThat(RateKeyExtractor.names(rule, room, id)).isTrue();
        assertThat(RateKeyExtractor.names(rule, room, "site~x")).isFalse();
        assertThat(RateKeyExtractor.names(rule, room, "site")).isEqualTo(per == RoomPer.RULE);
    }
}
