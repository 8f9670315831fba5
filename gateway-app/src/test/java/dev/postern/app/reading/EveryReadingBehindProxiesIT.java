package dev.postern.app.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.authorize.AskedSite;
import dev.postern.app.authorize.ProxyKind;
import dev.postern.core.testing.LeakExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that no spelling of a protected path or host reaches the resource without a token through a proxy that asks: what the proxy
 * describes, what it forwards and what the server makes of it may be three readings. Routes as in {@link EveryReadingIT}.
 */
@ExtendWith(LeakExtension.class)
class EveryReadingBehindProxiesIT {

    private static final long SEED = 46;
    private static final int SAMPLE = 100;
    private static final int ALL = 600;
    /** Spellings that are sent over HTTP/2 too, where one waits for the other. */
    private static final int FRAMED = 160;

    private static final String ROUTES = "routes=[{host: api.example, path: /, upstream: none, token: required},"
            + " {path: /api, upstream: none, token: required}, {path: /, upstream: none, token: off}]";

    @TempDir
    private Path folder;

    /** Servers that resolve all, some and no dot segments, slashes and escapes. */
    static Stream<Arguments> some() {
        return each(Backend.Kind.NODE_FILES, Backend.Kind.TOMCAT_LENIENT, Backend.Kind.NODE_RAW);
    }

    static Stream<Arguments> all() {
        return each(Backend.Kind.values());
    }

    private static Stream<Arguments> each(Backend.Kind... servers) {
        return Stream.of(ProxyKind.values())
                .flatMap(proxy -> Stream.of(servers).map(server -> Arguments.of(proxy, server)));
    }

    @ParameterizedTest
    @MethodSource("some")
    void reachesNoProtectedResourceWithoutAToken(ProxyKind proxy, Backend.Kind server) throws IOException {
        visit(proxy, server, new Spellings(SEED).of(SAMPLE));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("all")
    void reachesNoProtectedResourceWithHundredsOfSpellings(ProxyKind proxy, Backend.Kind server) throws IOException {
        visit(proxy, server, new Spellings(SEED + 1).of(ALL));
    }

    private void visit(ProxyKind proxy, Backend.Kind server, List<Spelling> spellings) throws IOException {
        try (Backend backend = server.start(Files.createDirectories(folder.resolve("backend")));
                AskedSite site = AskedSite.before(port(backend), proxy, folder, ROUTES);
                SpellingClient plain = SpellingClient.retrying(site.port());
                SpellingClient framed = SpellingClient.http2(site.port(), site::frames, site.frameScheme())) {
            assertThat(site.get("/api/secret").field(Backend.PROTECTED)).isEmpty();
            String token = AskedSite.token(site.get("/api/secret"));
            assertThat(site.get("/api/secret", token).field(Backend.PROTECTED))
                    .as("with a token")
                    .isEqualTo("path");

            List<String> reached = new ArrayList<>();
            int sent = 0;
            int served = 0;
            for (int from = 0; from < spellings.size(); from += SpellingClient.BATCH) {
                List<Spelling> batch = spellings.subList(from, Math.min(from + SpellingClient.BATCH, spellings.size()));
                for (SpellingClient client : from < FRAMED ? List.of(plain, framed) : List.of(plain)) {
                    sent += batch.size();
                    List<SpellingClient.Outcome> outcomes = client.ask(batch);
                    for (int i = 0; i < batch.size(); i++) {
                        if (!outcomes.get(i).mark().isEmpty()) {
                            reached.add(client + " " + batch.get(i));
                        }
                        served += client == framed && !outcomes.get(i).refused() ? 1 : 0;
                    }
                }
            }
            assertThat(reached)
                    .as("%d of %d reached it without a token", reached.size(), sent)
                    .isEmpty();
            assertThat(served).as("of unprotected paths, over HTTP/2").isPositive();
        }
    }

    private static int port(Backend backend) {
        return Integer.parseInt(backend.address().substring(backend.address().indexOf(':') + 1));
    }
}
