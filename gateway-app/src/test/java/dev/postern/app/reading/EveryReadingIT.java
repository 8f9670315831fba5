package dev.postern.app.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that no spelling of a protected path or host reaches the resource without a token, for different servers behind the gateway: routes
 * require tokens for {@code /api} and for the host {@code api.example}, and for nothing else.
 */
@ExtendWith(LeakExtension.class)
class EveryReadingIT {

    private static final long SEED = 20;
    private static final int SAMPLE = 300;
    private static final int ALL = 5000;

    private static final String[] AS_SENT = {
        "host: api.example, path: /, token: required", "path: /api, token: required", "path: /, token: off"
    };
    private static final String[] NORMAL =
            Stream.of(AS_SENT).map(route -> route + ", path-form: normal").toArray(String[]::new);
    private static final String[] MIXED = {AS_SENT[0], AS_SENT[1], NORMAL[2]};

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void reachesNoProtectedResourceWithoutAToken(Backend.Kind kind) throws IOException {
        visit(kind, new Spellings(SEED).of(SAMPLE), AS_SENT);
    }

    @ParameterizedTest
    @EnumSource
    void reachesNoProtectedResourceByTheNormalForm(Backend.Kind kind) throws IOException {
        visit(kind, new Spellings(SEED + 2).of(SAMPLE), NORMAL);
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE_RAW", "NGINX", "TOMCAT_LENIENT", "WSGI_TWICE"})
    void reachesNoProtectedResourceByRoutesOfBothForms(Backend.Kind kind) throws IOException {
        visit(kind, new Spellings(SEED + 3).of(SAMPLE), MIXED);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void reachesNoProtectedResourceWithThousandsOfSpellings(Backend.Kind kind) throws IOException {
        visit(kind, new Spellings(SEED + 1).of(ALL), AS_SENT);
    }

    private void visit(Backend.Kind kind, List<Spelling> spellings, String[] routes) throws IOException {
        try (Backend backend = kind.start(folder);
                FrontGateway front = new FrontGateway(backend.address(), routes)) {
            protects(backend);
            List<String> reached = new ArrayList<>();
            int alike = 0;
            List<String> refused = new ArrayList<>();
            try (SpellingClient plain = SpellingClient.http1(front.port());
                    SpellingClient framed = SpellingClient.http2(front.port())) {
                for (int from = 0; from < spellings.size(); from += SpellingClient.BATCH) {
                    List<Spelling> batch =
                            spellings.subList(from, Math.min(from + SpellingClient.BATCH, spellings.size()));
                    for (SpellingClient client : List.of(plain, framed)) {
                        List<SpellingClient.Outcome> outcomes = client.ask(batch);
                        for (int i = 0; i < batch.size(); i++) {
                            Spelling spelling = batch.get(i);
                            boolean one = spelling.leadsToOne("/api");
                            if (!outcomes.get(i).mark().isEmpty()) {
                                reached.add(client + " " + spelling);
                            }
                            if (one && outcomes.get(i).refused()) {
                                refused.add(client + " " + spelling);
                            }
                            alike += one ? 1 : 0;
                        }
                    }
                }
            }
            assertThat(reached)
                    .as("%d of %d reached it without a token", reached.size(), 2 * spellings.size())
                    .isEmpty();
            assertThat(alike).as("spellings with one reading").isGreaterThan(spellings.size() / 3);
            assertThat(refused)
                    .as("%d of %d refused that all read alike", refused.size(), alike)
                    .hasSizeLessThanOrEqualTo(alike / 100);
        }
    }

    /** Checks that the backend has protected resources. */
    private static void protects(Backend backend) {
        int port =
                Integer.parseInt(backend.address().substring(backend.address().indexOf(':') + 1));
        assertThat(mark(port, "site.example", "/api/secret")).isEqualTo("path");
        assertThat(mark(port, "site.example", "/public")).isEmpty();
        assertThat(mark(port, "api.example", "/public")).isEqualTo("host");
    }

    private static String mark(int port, String host, String path) {
        try (RawClient client = new RawClient(port)) {
            return client.send(new Spelling(host, path, false).head()).read().field(Backend.PROTECTED);
        }
    }
}
