package dev.postern.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.tls.SniCertificateSelector.Offer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SniCertificateSelectorTest {

    private final SniCertificateSelector selector = new SniCertificateSelector(List.of(
            new Offer(List.of("first.example"), "EC"), // 0
            new Offer(List.of("*.shop.example", "shop.example"), "EC"), // 1
            new Offer(List.of("*.shop.example", "shop.example"), "RSA"), // 2
            new Offer(List.of("www.shop.example"), "EC"), // 3
            new Offer(List.of("other.example"), "RSA"))); // 4

    @ParameterizedTest
    @CsvSource({
        "first.example, EC, 0",
        "www.shop.example, EC, 3",
        "WWW.Shop.Example, EC, 3",
        // Spellings of one host, as in a Host field.
        "www.shop.example., EC, 3",
        "WWW.shop.example.:443, EC, 3",
        "my_app.shop.example, EC, 1",
        "-x-.shop.example, EC, 1",
        // No host in any request.
        "www.shop.example.., EC, 0",
        "www.shop.example:0, EC, 0",
        "*.shop.example, EC, 0",
        "b\u00fccher.shop.example, EC, 0",
        "api.shop.example, EC, 1",
        "api.shop.example, RSA, 2",
        "shop.example, RSA, 2",
        "other.example, RSA, 4",
        // No certificate has that name: the first is used.
        "a.api.shop.example, EC, 0",
        "nowhere.example, EC, 0",
        "example, EC, 0",
        ".shop.example, EC, 0",
        // A certificate has the name, with another key type: a certificate of another name would not help.
        "first.example, RSA, -1",
        "www.shop.example, RSA, -1",
        "other.example, EC, -1",
        "nowhere.example, RSA, -1",
        "first.example, EdDSA, -1",
    })
    void prefersTheExactNameThenTheWildcardThenTheFirst(String name, String keyType, int expected) {
        assertThat(selector.choose(name, keyType)).isEqualTo(expected);
    }

    @Test
    void usesTheFirstWithoutAServerName() {
        assertThat(selector.choose(null, "EC")).isZero();
        assertThat(selector.choose(null, "RSA")).isEqualTo(SniCertificateSelector.NONE);
    }

    @Test
    void theFirstMayHaveTwoKeys() {
        SniCertificateSelector both = new SniCertificateSelector(List.of(
                new Offer(List.of("a.example"), "EC"),
                new Offer(List.of("b.example"), "RSA"),
                new Offer(List.of("a.example"), "RSA")));
        assertThat(both.choose(null, "EC")).isZero();
        assertThat(both.choose(null, "RSA")).isEqualTo(2);
        assertThat(both.choose("nowhere.example", "RSA")).isEqualTo(2);
    }
}
