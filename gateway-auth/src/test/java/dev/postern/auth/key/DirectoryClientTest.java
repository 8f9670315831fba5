package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.send;
import static dev.postern.auth.testing.HttpFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import dev.postern.auth.key.DirectoryClient.Fetched;
import dev.postern.auth.key.DirectoryClient.Validators;
import dev.postern.auth.testing.MemoryHttp;
import dev.postern.auth.testing.TokenMint;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which responses are taken for a directory, and which redirects are followed. */
class DirectoryClientTest {

    private static final String GOOD = IssuerDirectoryTest.listed(
            IssuerDirectoryTest.entry(TokenMint.shared().publicKey(), 0));

    private final MemoryHttp server = new MemoryHttp();
    private final DirectoryClient client = new DirectoryClient(
            new BoundedHttpClient(1024 * 1024, Duration.ofSeconds(5), threads -> server), InstantSource.system());

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void readsADirectoryAndItsFreshness() throws Exception {
        server.behave(text(200, IssuerDirectory.MEDIA_TYPE, GOOD, "Cache-Control", "max-age=60", "ETag", "\"1\""));

        Fetched fetched = fetch("/", null);

        assertThat(fetched.directory()).isNotNull();
        assertThat(fetched.directory().keys()).hasSize(1);
        assertThat(fetched.fresh()).isEqualTo(Duration.ofSeconds(60));
        assertThat(fetched.validators().etag()).isEqualTo("\"1\"");
    }

    @Test
    void revalidatesByEntityTag() throws Exception {
        server.behave(exchange -> {
            boolean same = "\"1\"".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
            send(exchange, same ? 304 : 500, new byte[0]);
        });

        Fetched unchanged = fetch("/", new Validators("\"1\"", null));
        assertThat(unchanged.directory()).isNull();
        assertThat(unchanged.validators().etag()).isEqualTo("\"1\"");
        assertThatThrownBy(() -> fetch("/", null)).hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void revalidatesByDate() throws Exception {
        String date = "Fri, 20 Nov 2026 12:00:00 GMT";
        server.behave(text(200, IssuerDirectory.MEDIA_TYPE, GOOD, "Last-Modified", date));
        Fetched first = fetch("/", null);
        assertThat(first.validators().lastModified()).isEqualTo(date);
        server.behave(exchange -> {
            boolean same = date.equals(exchange.getRequestHeaders().getFirst("If-Modified-Since"));
            send(exchange, same ? 304 : 500, new byte[0]);
        });

        assertThat(fetch("/", first.validators()).directory()).isNull();
    }

    @Test
    void refusesAnUnrequested304() {
        server.behave(exchange -> send(exchange, 304, new byte[0]));

        assertThatThrownBy(() -> fetch("/", new Validators(null, null))).hasMessageContaining("status 304");
    }

    @Test
    void followsRedirectsWithinTheServer() throws Exception {
        server.behave(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/moved")) {
                text(200, IssuerDirectory.MEDIA_TYPE, GOOD).handle(exchange);
            } else {
                exchange.getResponseHeaders().set("Location", "/moved");
                send(exchange, 307, new byte[0]);
            }
        });

        assertThat(fetch("/", null).directory()).isNotNull();
    }

    @Test
    void followsNoRedirectToAnotherServer() throws Exception {
        server.behave(exchange -> {
            exchange.getResponseHeaders().set("Location", "http://other.example:8443/");
            send(exchange, 302, new byte[0]);
        });

        assertThatThrownBy(() -> fetch("/", null)).hasMessageContaining("status 302");
        assertThat(server.requests()).isEqualTo(1);
    }

    @Test
    void stopsARedirectLoop() {
        server.behave(exchange -> {
            exchange.getResponseHeaders().set("Location", "/again");
            send(exchange, 302, new byte[0]);
        });

        assertThatThrownBy(() -> fetch("/", null)).hasMessageContaining("status 302");
        assertThat(server.requests()).isEqualTo(4);
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                Arguments.of("not found", text(404, "text/html", "<h1>404</h1>")),
                Arguments.of("HTML with status 200", text(200, "text/html", "<h1>hello</h1>")),
                Arguments.of("JSON cut off", text(200, IssuerDirectory.MEDIA_TYPE, GOOD.substring(0, 200))),
                Arguments.of("empty", text(200, IssuerDirectory.MEDIA_TYPE, "")),
                Arguments.of("nested without end", text(200, IssuerDirectory.MEDIA_TYPE, "[".repeat(900_000))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesInvalidDirectories(String subject, HttpHandler behaviour) {
        server.behave(behaviour);

        assertThatThrownBy(() -> fetch("/", null))
                .hasRootCauseInstanceOf(Exception.class)
                .cause()
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsNoMoreThanAMebibyte() {
        AtomicInteger blocks = new AtomicInteger();
        server.behave(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] block = new byte[64 * 1024];
            for (int i = 0; i < 100 * 16; i++) {
                exchange.getResponseBody().write(block);
                blocks.incrementAndGet();
            }
        });

        assertThatThrownBy(() -> fetch("/", null)).hasMessageContaining("more than 1048576 bytes");
        assertThat(blocks).hasValueLessThan(20);
    }

    private Fetched fetch(String path, @Nullable Validators copy) throws Exception {
        return client.fetch(server.uri(path), copy).get(10, TimeUnit.SECONDS);
    }
}
