package dev.postern.app.setting;

import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import org.junit.jupiter.api.Test;

/** Tests the keys of HTTP/2, and the protocols of a listener; {@link TlsSettingsIT} tests ALPN. */
class Http2SettingsTest {

    @Test
    void listenersSpeakTheConfiguredProtocols() {
        try (MemorySite site = MemorySite.with()) {
            assertThat(site.get("/").status()).isEqualTo(200);
            try (FrameClient client = site.client2()) {
                assertThat(client.get(1, "/").response(1).status()).isEqualTo("200");
            }
        }
        try (MemorySite site = MemorySite.with("listeners.web.protocols=[h1]");
                RawClient client = site.client()) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").read().status())
                    .isEqualTo(505);
        }
        try (MemorySite site = MemorySite.with("listeners.web.protocols=[h2]")) {
            try (FrameClient client = site.client2()) {
                assertThat(client.get(1, "/").response(1).status()).isEqualTo("200");
            }
            try (FrameClient other = site.silent2()) {
                other.bytes(new byte[] {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P'});
                assertThat(other.await(GOAWAY).error()).isEqualTo("PROTOCOL_ERROR");
            }
        }
    }

    @Test
    void settingsAreAnnouncedAndResetsAreLimited() {
        try (MemorySite site = MemorySite.with(
                        "http2={max-streams: 9, stream-window: 2KiB, header-table: 1KiB, max-resets: 2/h}");
                FrameClient client = site.client2()) {
            // The client's header blocks do not announce a smaller table, as they would have to after an
            // acknowledgement.
            client.acknowledges(false);
            assertThat(client.await(SETTINGS).payload())
                    .containsSequence(FrameClient.settings(3, 9))
                    .containsSequence(FrameClient.settings(4, 2048))
                    .containsSequence(FrameClient.settings(1, 1024));
            site.origin.behave((request, socket) -> {}); // no response: a completed exchange would earn a reset
            for (int id = 1; id < 7; id += 2) {
                client.get(id, "/").reset(id);
            }
            FrameClient.Frame end = client.await(GOAWAY);
            assertThat(end.error() + " " + end.debug()).isEqualTo("ENHANCE_YOUR_CALM resets");
            assertThat(site.metrics()).contains("postern_http2_budgets_total{budget=\"resets\"} 1.0\n");
        }
    }
}
