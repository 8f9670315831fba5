package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.AdminServers;
import dev.postern.app.flame.FlamePage;
import dev.postern.app.profile.Profile;
import dev.postern.core.testing.ManualClock;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the page of a flame graph in a browser, with its own content security policy. */
@Tag("browser")
class FlameGraphAccessibilityIT {

    private static final String STACKS = """
            [postern-loop];dev.postern.core.proxy.ProxyStage.take_[j];__send;tcp_sendmsg_[k] 600
            [postern-loop];dev.postern.core.proxy.ProxyStage.take_[j];java.util.ArrayList.add_[j] 400
            """;

    private static AdminServer server;
    private static Browser browser;

    @BeforeAll
    static void open() {
        FlamePage page = new FlamePage(
                (event, length) -> new Profile(event, "a profiler", "Permit more.", STACKS),
                new ManualClock(Instant.EPOCH));
        // In service it needs POST, by which no browser opens an address.
        server = AdminServers.open(Map.of(), Map.of("/flamegraph", page), Map.of());
        browser = Browser.withScript();
    }

    @AfterAll
    static void close() {
        browser.close();
        server.close();
    }

    @BeforeEach
    void show() {
        browser.requests();
        browser.open("http://127.0.0.1:" + server.address().getPort() + "/flamegraph");
    }

    private static String run(String script) {
        return String.valueOf(browser.run(script));
    }

    @ParameterizedTest
    @CsvSource({"light, 'rgb(255, 255, 255)'", "dark, 'rgb(30, 30, 30)'"})
    void drawsTheGraphInThePreferredColorScheme(String scheme, String paper) {
        browser.prefer(scheme, "no-preference").size(1280, 800, 1);
        show();

        assertThat(run("return getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(paper);
        // A pixel of the root bar, which is as wide as the page.
        assertThat(run("const c = document.getElementById('canvas');"
                        + "return c.getContext('2d').getImageData(c.width - 5, c.height - 5, 1, 1).data.join()"))
                .isNotEqualTo("0,0,0,0")
                .endsWith(",255");
    }

    @Test
    void theHeadingNamesStageProfilerAndLimitations() {
        assertThat(run("return document.querySelector('h1').textContent"))
                .isEqualTo("Time on a processor, 10 s from 1970-01-01T00:00:00Z, by a profiler."
                        + " Event loops: forward 100.0 %. Permit more.");
    }

    @Test
    void theMouseNamesTheBarUnderIt() {
        String sendmsg = "const c = document.getElementById('canvas'), box = c.getBoundingClientRect();"
                + "c.dispatchEvent(new MouseEvent('mousemove', {clientX: box.left + %s, clientY: box.top + 8}));"
                + "return document.getElementById('status').textContent";

        assertThat(run(sendmsg.formatted("box.width * 0.3"))).contains("tcp_sendmsg", "600 samples, 60.00%");
    }

    @Test
    void loadsNothingFromOtherHosts() {
        assertThat(browser.requests())
                .isNotEmpty()
                .allMatch(url ->
                        url.startsWith("http://127.0.0.1:" + server.address().getPort() + "/"));
    }
}
