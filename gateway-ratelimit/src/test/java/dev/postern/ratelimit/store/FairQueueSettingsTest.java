package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.core.exchange.ClientBinding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which settings of a fair queue are refused, with which key. */
class FairQueueSettingsTest {

    private List<String> bypass = List.of();
    private Map<String, List<String>> crawlers = Map.of();
    private @Nullable String opensAt;
    private Duration keep = Duration.ofMinutes(5);
    private int status = 503;

    private FairQueueSettings settings() {
        return new FairQueueSettings(
                FairQueueSettings.RoomPer.RULE,
                new SessionCount(2),
                new FairQueueSettings.Auto(5, 1000),
                Rate.of("0"),
                Duration.ofMinutes(10),
                Duration.ofMinutes(1),
                Duration.ofSeconds(20),
                keep,
                new Share(1),
                100,
                status,
                List.of(ClientBinding.AGENT),
                bypass,
                crawlers,
                new FairQueueSettings.Tenants(TenantKey.NONE, Map.of()),
                1,
                opensAt,
                new FairQueueSettings.Page(null, "auto", "none"));
    }

    private void refuses(String problem) {
        assertThatIllegalArgumentException().isThrownBy(this::settings).withMessageStartingWith(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health", "10.0.0.0/8", "fd00::/8", "192.0.2.1"})
    void bypassesPathsAndRanges(String one) {
        bypass = List.of(one);
        assertThat(settings().bypass()).containsExactly(one);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            health,      'bypass.1: health (expected: an address range or a path)'
            /a;b,        'bypass.1: /a;b (expected: a path that starts with /'
            shop/health, 'bypass.1: shop/health (expected: a path that starts with /'
            """)
    void refusesOtherBypasses(String wrong, String problem) {
        bypass = List.of("/good", wrong);
        refuses(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2027-01-31T18:00:00Z", "9999-12-31T23:59:59Z"})
    void opensAtAnInstant(String instant) {
        opensAt = instant;
        assertThat(settings().opensAt()).isEqualTo(instant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomorrow", "1969-12-31T23:59:59Z", "+10000-01-01T00:00:00Z"})
    void refusesOtherInstants(String wrong) {
        opensAt = wrong;
        refuses("opens-at: " + wrong + " (expected: an instant such as 2027-01-31T18:00:00Z, or null)");
    }

    @Test
    void keepsPlacesAtLeastUntilASessionIsAbsent() {
        keep = Duration.ofSeconds(20);
        assertThat(settings().keep()).isEqualTo(keep);
        keep = Duration.ofSeconds(19);
        refuses("keep: 19s (expected: not less than absence, which is 20s)");
    }

    @Test
    void waitsWithAStatusThatClientsUnderstand() {
        status = 200;
        assertThat(settings().waitingStatus()).isEqualTo(200);
        status = 404;
        refuses("waiting-status: 404 (expected: 503 | 429 | 202 | 200)");
    }

    @Test
    void aCrawlerHasAWordAndDomains() {
        crawlers = Map.of("SearchBot", List.of("search.example"));
        assertThat(settings().crawlers()).isEqualTo(crawlers);
        crawlers = Map.of("Search Bot", List.of("search.example"));
        refuses("crawlers.Search Bot: Search Bot (expected: a word of letters, digits, dashes, underscores)");
        crawlers = Map.of("SearchBot", List.of());
        refuses("crawlers.SearchBot: [] (expected: the domains of its owner, such as [example.com])");
        crawlers = Map.of("SearchBot", List.of("Search.Example"));
        refuses("crawlers.SearchBot: Search.Example (expected: a domain in small letters, such as example.com)");
    }

    @Test
    void anAdaptiveNumberHasAMinimumUpToItsMaximum() {
        assertThat(new FairQueueSettings.Auto(5, 5).max()).isEqualTo(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FairQueueSettings.Auto(6, 5))
                .withMessage("max: 5 (expected: not less than min, which is 6)");
    }

    @ParameterizedTest
    @CsvSource({"auto, true", "1, false", "1000000, false"})
    void readsANumberOfSessions(String text, boolean auto) {
        SessionCount count = SessionCount.of(text);
        assertThat(count.auto()).isEqualTo(auto);
        assertThat(count).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1000001", "-1", "many", ""})
    void refusesOtherNumbersOfSessions(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionCount.of(text))
                .withMessage(SessionCount.EXPECTED);
    }
}
