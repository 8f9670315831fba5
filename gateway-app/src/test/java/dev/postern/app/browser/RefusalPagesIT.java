package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.testing.TokenMint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the pages that a person sees without a token, and at a host that the gateway does not serve. */
@Tag("browser")
@Tag("long")
class RefusalPagesIT {

    private static final String YAML = """
            listeners:
              - {name: 127.0.0.1, address: "127.0.0.1:0", congestion-control: reno}
              - {name: 127.0.0.2, address: "127.0.0.2:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: error}
            privacy-pass:
              issuers: [{name: issuer.example, public-keys: ["%s"]}]
            upstreams:
              - {name: shop, congestion-control: reno, endpoints: ["127.0.0.1:1"]}
            routes:
              - {host: 127.0.0.1, path: /, upstream: shop, token: required}
            """;

    private static final Axe AXE = new Axe();

    private static Gateway gateway;
    private static Browser browser;

    @BeforeAll
    static void open() throws IOException {
        LoadedConfig config = new ConfigReader(Map.of(), List.of())
                .read("gateway.yaml", YAML.formatted(TokenMint.shared().publicKey()), Path.of(""));
        assertThat(config.problems()).isEmpty();
        gateway = Gateway.start(config, UnaryOperator.identity(), line -> {});
        browser = Browser.withScript();
    }

    @AfterAll
    static void close() {
        browser.close();
        gateway.close();
    }

    private static void show(String host, String language, String scheme, int width) {
        browser.prefer(language).prefer(scheme, "no-preference").size(width, 800, 1);
        browser.open("http://" + host + ":" + gateway.listener(host).getPort() + "/");
        assertThat(browser.run("return document.documentElement.lang")).isEqualTo(language);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, token-required, en, light",
        "127.0.0.1, token-required, ar, dark",
        "127.0.0.1, token-required, ja, light",
        "127.0.0.1, token-required, zh, dark",
        "127.0.0.1, token-required, de, light",
        "127.0.0.1, token-required, fr, dark",
        "127.0.0.1, token-required, es, light",
        "127.0.0.2, misdirected, en, dark",
        "127.0.0.2, misdirected, ar, light",
        "127.0.0.2, misdirected, ja, dark",
        "127.0.0.2, misdirected, zh, light",
        "127.0.0.2, misdirected, de, dark",
        "127.0.0.2, misdirected, fr, light",
        "127.0.0.2, misdirected, es, dark"
    })
    void axeFindsNothing(String host, String code, String language, String scheme) {
        for (int width : List.of(1280, 320)) {
            show(host, language, scheme, width);
            assertThat(browser.run("return document.querySelector('.id code').textContent"))
                    .isEqualTo(code);
            assertThat(AXE.findings(browser)).isEmpty();
            assertThat(browser.run(
                            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                    .as("no horizontal scrolling")
                    .isEqualTo(true);
        }
    }

    @Test
    void theIdOfTheRequestIsSelectedByOneClick() {
        show("127.0.0.1", "en", "light", 1280);

        assertThat(String.valueOf(browser.run("return document.querySelector('.id').innerText")))
                .matches("401 token-required\\s+Request [0-9a-f-]{36}");
        assertThat(browser.run("return getComputedStyle(document.querySelectorAll('.id code')[1]).userSelect"))
                .isEqualTo("all");
    }
}
