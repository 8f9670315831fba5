package dev.postern.core.tls.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerIdentityTest {

    @ParameterizedTest
    @CsvSource({
        "my_app.test, my_app.test, true",
        "My_App.Test, my_app.test, true",
        "my_app, my_app, true",
        "my_app.shop.example, *.shop.example, true",
        "my_app.shop.example, *.example, false",
        "a.my_app.shop.example, *.shop.example, false",
        "my_app.shop.example, shop.example, false",
        "my_app.test, *.test, false",
        "my_app, *, false",
        "my_app.test, *, false",
        "my_app.shop.example, my_*.shop.example, false",
        "my_app.shop.example, other.shop.example, false",
        "my_app.shop.example, '', false",
        "_.shop.example, *.shop.example, true",
        ".shop.example, *.shop.example, false",
    })
    void comparesNamesAsInRfc9525(String name, String offered, boolean expected) {
        assertThat(new ServerIdentity(name).matches(offered)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"app.example, app.example", "app.example., app.example", "app, app", "APP.example, APP.example"})
    void javaSendsAndChecksOrdinaryNames(String host, String sent) {
        ServerIdentity server = ServerIdentity.of(host);
        SSLParameters parameters = new SSLParameters();
        server.applyTo(parameters);
        assertThat(server.knownToJava()).isTrue();
        assertThat(parameters.getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
        assertThat(parameters.getServerNames()).singleElement().asString().contains("value=" + sent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "0:0:0:0:0:0:0:1", ""})
    void javaChecksAddressesAndSendsNone(String host) {
        ServerIdentity server = ServerIdentity.of(host);
        SSLParameters parameters = new SSLParameters();
        server.applyTo(parameters);
        assertThat(server.knownToJava()).isTrue();
        assertThat(parameters.getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
        assertThat(parameters.getServerNames()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_app.test", "-x", "x-.example", "_"})
    void otherNamesAreSentAndCheckedHere(String host) {
        ServerIdentity server = ServerIdentity.of(host);
        assertThat(server.knownToJava()).isFalse();
        assertThat(new String(server.raw().getEncoded(), java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo(host);
    }

    @Test
    void theFinalDotIsNotSent() {
        assertThat(ServerIdentity.of("my_app.test.").name()).isEqualTo("my_app.test");
    }
}
