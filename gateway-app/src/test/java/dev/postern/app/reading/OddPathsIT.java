package dev.postern.app.reading;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that unusual but valid paths arrive unchanged where all their readings match one route. */
@ExtendWith(LeakExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OddPathsIT {

    private final TestOrigin origin = new TestOrigin();
    private final FrontGateway front = new FrontGateway(
            origin.address(),
            "path: /, token: off",
            "path: /api, token: off",
            "path: /gitlab, token: off",
            "host: site.example, path: /, token: off",
            "host: site.example, path: /api, token: off");
    private List<String> paths = List.of();

    @BeforeAll
    void read() throws IOException {
        try (InputStream in = Objects.requireNonNull(OddPathsIT.class.getResourceAsStream("odd-paths.txt"))) {
            paths = new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
        assertThat(paths).hasSizeGreaterThanOrEqualTo(200).doesNotHaveDuplicates();
    }

    @AfterAll
    void stop() {
        front.close();
        origin.close();
    }

    @Test
    void arriveUnchangedOverHttp1() {
        origin.received().clear();
        try (RawClient client = new RawClient(front.port())) {
            for (String path : paths) {
                assertThat(client.get(path).status()).as(path).isEqualTo(200);
            }
        }
        assertThat(arrived()).isEqualTo(paths);
    }

    @Test
    void arriveUnchangedOverHttp2() {
        origin.received().clear();
        try (FrameClient client = FrameClient.connect(front.port())) {
            int stream = 1;
            for (String path : paths) {
                client.get(stream, path);
                assertThat(client.response(stream).status()).as(path).isEqualTo("200");
                stream += 2;
            }
        }
        assertThat(arrived()).isEqualTo(paths);
    }

    private List<String> arrived() {
        return origin.received().stream()
                .map(TestOrigin.Received::line)
                .map(line -> line.substring("GET ".length(), line.length() - " HTTP/1.1".length()))
                .toList();
    }
}
