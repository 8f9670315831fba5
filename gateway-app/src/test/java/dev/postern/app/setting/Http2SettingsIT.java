package dev.postern.app.setting;

import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Keys of HTTP/2, and which protocols a listener speaks; ALPN is in {@link TlsSettingsIT}. */
class Http2SettingsIT {

    private static FrameClient client(Site site, int... settings) {
        return FrameClient.connect(site.port(), settings);
    }

    /** What ends that client's connection, or that nothing does. */
    private static String end(Site site, Consumer<FrameClient> sends) {
        try (FrameClient client = client(site)) {
            sends.accept(client);
            client.frame(PING, 0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
            for (FrameClient.Frame frame = client.next(); frame != null; frame = client.next()) {
                if (frame.type() == GOAWAY) {
                    return frame.error() + " " + frame.debug();
                }
                if (frame.type() == PING && frame.payload()[0] == 1) {
                    return "nothing";
                }
            }
            return "closed";
        }
    }

    @Test
    void listenersSpeakWhatTheyAreTold() {
        try (Site site = Site.with()) {
            assertThat(site.get("/").status()).isEqualTo(200);
            try (FrameClient client = client(site)) {
                assertThat(client.get(1, "/").response(1).status()).isEqualTo("200");
            }
        }
        try (Site site = Site.with("listeners.web.protocols=[h1]");
                RawClient client = site.client()) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").read().status())
                    .isEqualTo(505);
        }
        try (Site site = Site.with("listeners.web.protocols=[h2]")) {
            try (FrameClient client = client(site)) {
                assertThat(client.get(1, "/").response(1).status()).isEqualTo("200");
            }
            try (FrameClient other = FrameClient.silent(site.port())) {
                other.bytes(new byte[] {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P'});
                assertThat(other.await(GOAWAY).error()).isEqualTo("PROTOCOL_ERROR");
            }
        }
    }

    @Test
    void streamsAreAsManyAsMayBe() {
        try (Site site = Site.with("http2.max-streams=1")) {
            site.origin.behave((request, socket) -> {});
            try (FrameClient client = client(site)) {
                assertThat(client.await(SETTINGS).payload()).containsSequence(FrameClient.settings(3, 1));
                client.get(1, "/").get(3, "/");
                assertThat(client.response(3).reset()).isEqualTo("REFUSED_STREAM");
            }
        }
    }

    @Test
    void windowsAndTablesAreAsWished() {
        try (Site site = Site.with("http2.stream-window=2KiB", "http2.header-table=1KiB");
                FrameClient client = client(site)) {
            byte[] said = client.await(SETTINGS).payload();
            assertThat(said).containsSequence(FrameClient.settings(4, 2048));
            assertThat(said).containsSequence(FrameClient.settings(1, 1024));
        }
    }

    @Test
    void blocksComeInFewFrames() {
        Consumer<FrameClient> three = c -> {
            c.await(SETTINGS);
            c.frame(HEADERS, END_STREAM, 1, FieldBlock.of(FrameClient.request("GET", "/")));
            c.frame(CONTINUATION, 0, 1, FieldBlock.of("x-a", "b"));
            c.frame(CONTINUATION, END_HEADERS, 1, FieldBlock.of("x-b", "c"));
        };
        try (Site site = Site.with()) {
            assertThat(end(site, three)).isEqualTo("nothing");
        }
        try (Site site = Site.with("http2.max-continuations=1")) {
            assertThat(end(site, three)).isEqualTo("ENHANCE_YOUR_CALM continuations");
            assertThat(site.admin("/metrics").body())
                    .contains("postern_http2_budgets_total{budget=\"continuations\"} 1.0");
        }
    }

    @Test
    void responsesWaitSoLongForTheirWindow() {
        try (Site site = Site.with("http2.window-timeout=200ms")) {
            site.origin.behave(Behaviour.ok("x".repeat(100)));
            try (FrameClient client = client(site, 4, 0)) {
                assertThat(client.get(1, "/").response(1).reset()).isEqualTo("CANCEL");
            }
        }
    }

    @Test
    void resetsAreCounted() {
        Consumer<FrameClient> resets = c -> {
            for (int id = 1; id < 7; id += 2) {
                c.get(id, "/").reset(id);
            }
        };
        try (Site site = Site.with("http2.max-resets=2/h")) {
            assertThat(end(site, resets)).isEqualTo("ENHANCE_YOUR_CALM resets");
        }
        try (Site site = Site.with()) {
            assertThat(end(site, resets)).isEqualTo("nothing");
        }
    }

    @Test
    void faultsAreCounted() {
        Consumer<FrameClient> faults = c -> {
            for (int id = 1; id < 7; id += 2) {
                c.get(id, "page");
            }
        };
        try (Site site = Site.with("http2.max-stream-errors=2/h")) {
            assertThat(end(site, faults)).isEqualTo("ENHANCE_YOUR_CALM faults");
        }
        try (Site site = Site.with()) {
            assertThat(end(site, faults)).isEqualTo("nothing");
        }
    }

    @Test
    void framesThatCarryNothingAreCounted() {
        Consumer<FrameClient> pings = c -> {
            for (int i = 0; i < 3; i++) {
                c.frame(PING, 0, 0, new byte[8]);
            }
        };
        try (Site site = Site.with("http2.max-control-frames=2/h")) {
            assertThat(end(site, pings)).isEqualTo("ENHANCE_YOUR_CALM pings");
        }
        try (Site site = Site.with()) {
            assertThat(end(site, pings)).isEqualTo("nothing");
        }
    }
}
