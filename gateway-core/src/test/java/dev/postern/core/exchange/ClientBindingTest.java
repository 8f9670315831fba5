package dev.postern.core.exchange;

import static dev.postern.core.exchange.ClientBinding.ADDRESS;
import static dev.postern.core.exchange.ClientBinding.AGENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.AddressPrefix;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientBindingTest {

    private static final String ANDROID =
            "Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A.231005.007) AppleWebKit/537.36 (KHTML, like Gecko) "
                    + "Chrome/129.0.6668.100 Mobile Safari/537.36";
    private static final String IPHONE =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                    + "Version/17.6 Mobile/15E148 Safari/604.1";
    private static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";

    private static byte[] bytes(List<ClientBinding> properties, String address, @Nullable String agent) {
        try {
            return ClientBinding.bytes(properties, AddressPrefix.ofNetwork(InetAddress.getByName(address)), agent);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }

    private static boolean same(String agent, @Nullable String other) {
        return java.util.Arrays.equals(
                bytes(List.of(AGENT), "192.0.2.1", agent), bytes(List.of(AGENT), "198.51.100.9", other));
    }

    @Test
    void browsersKeepTheirFamily() {
        assertThat(same(ANDROID, ANDROID.replace("129.0.6668.100", "130.0.6723.58")))
                .as("updated")
                .isTrue();
        assertThat(
                        same(
                                ANDROID,
                                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"))
                .as("reduced")
                .isTrue();
        assertThat(
                        same(
                                ANDROID,
                                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"))
                .as("desktop version of a page")
                .isTrue();
        assertThat(same(IPHONE, IPHONE.replace("17_6_1", "18_1").replace("17.6", "18.1.1")))
                .as("system updated")
                .isTrue();
        assertThat(
                        same(
                                IPHONE,
                                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15"))
                .as("desktop version of a page")
                .isTrue();
        assertThat(same(FIREFOX, FIREFOX.replace("132.0", "133.0"))).isTrue();
        assertThat(same("curl/8.5.0", "curl/8.11.1-DEV")).isTrue();
        assertThat(same("My Bot 1.2.3 (+https://a.example)", "My Bot 1.3 (+https://b.example (new))"))
                .isTrue();
    }

    @Test
    void otherAgentsAreOthers() {
        assertThat(same(FIREFOX, ANDROID)).isFalse();
        assertThat(same(ANDROID, IPHONE)).isFalse();
        assertThat(same(ANDROID, "curl/8.5.0")).isFalse();
        assertThat(same(ANDROID, null)).isFalse();
        assertThat(same(ANDROID, ANDROID + " Edg/130.0.0.0")).isFalse();
        assertThat(same("curl/8.5.0", "python-requests/2.32")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Mozilla/5.0 (a; (b) c\\) d) Gecko/1 | Mozilla Gecko",
                "a/1 (never closed b/2               | a",
                "a/1 ) b/2                           | a ) b",
                "(only a comment)                    | ''",
                "'  a  b/  /c  a/2'                  | a b",
                "1.2.3                               | ''",
                "a\tb                                | a b",
                "''                                  | ''",
            })
    void familyIsTheNamesOfTheProducts(String agent, String family) {
        assertThat(ClientBinding.AgentFamily.of(unquoted(agent))).isEqualTo(unquoted(family));
    }

    private static String unquoted(String text) {
        return text.startsWith("'") ? text.substring(1, text.length() - 1) : text;
    }

    @Test
    void networkCountsOnlyWhereConfigured() {
        assertThat(bytes(List.of(), "192.0.2.1", "a")).isEqualTo(bytes(List.of(), "2001:db8::1", "b"));
        assertThat(bytes(List.of(ADDRESS), "192.0.2.1", "a")).isEqualTo(bytes(List.of(ADDRESS), "192.0.2.200", "b"));
        assertThat(bytes(List.of(ADDRESS), "192.0.2.1", "a")).isNotEqualTo(bytes(List.of(ADDRESS), "192.0.3.1", "a"));
        assertThat(bytes(List.of(ADDRESS), "2001:db8:1:2ff::1", "a"))
                .isEqualTo(bytes(List.of(ADDRESS), "2001:db8:1:200::9", "a"));
        assertThat(bytes(List.of(ADDRESS), "2001:db8:1:200::1", "a"))
                .isNotEqualTo(bytes(List.of(ADDRESS), "2001:db8:1:300::1", "a"));
        assertThat(bytes(List.of(ADDRESS, AGENT), "192.0.2.1", "a"))
                .isEqualTo(bytes(List.of(AGENT, ADDRESS), "192.0.2.1", "a"));
    }
}
