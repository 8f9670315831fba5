package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the admin address requires a token for. */
class AdminTokensIT extends AdminServerFixture {

    @Test
    void requiresTheTokenForChanges() throws IOException {
        restart(token("token", AdminToken.Rights.CHANGE, " 0123456789abcdef \n"));
        String host = "Host: localhost\r\n";

        assertThat(ask("DELETE", "/keys/a", host).status()).isEqualTo(401);
        assertThat(ask("DELETE", "/keys/a", host).field("WWW-Authenticate")).isEqualTo("Bearer");
        for (String wrong :
                List.of("Bearer 0123456789abcdeg", "Basic 0123456789abcdef", "0123456789abcdef", "Bearer")) {
            assertThat(ask("DELETE", "/keys/a", host + "Authorization: " + wrong + "\r\n")
                            .status())
                    .isEqualTo(401);
        }
        String right = host + "Authorization: bearer 0123456789abcdef\r\n";
        assertThat(ask("DELETE", "/keys/a%3Ab/c", right).body().replaceAll("\\s", ""))
                .isEqualTo("[[\"a:b\",\"c\"],\"\"]");
        assertThat(ask("DELETE", "/keys/a", right + "Content-Length: 4\r\n\r\nbody")
                        .body())
                .contains("\"body\"");
        assertThat(ask("DELETE", "/keys/a", right + "Content-Length: 65537\r\n\r\n" + "x".repeat(65_537))
                        .status())
                .isEqualTo(413);
        assertThat(ask("DELETE", "/keys/%zz", right).status()).isEqualTo(400);
        assertThat(ask("DELETE", "/rooms/a", right).status()).isEqualTo(405);
        assertThat(ask("DELETE", "/keys/a", "Host: evil.example\r\n").status()).isEqualTo(421);
        assertThat(ask("GET", "/keys", host).status())
                .as("reading requires no token")
                .isEqualTo(200);
    }

    @Test
    void changesAreLoggedWithTokenAndCaller() throws IOException {
        restart(
                token("alice", AdminToken.Rights.CHANGE, "0123456789abcdef"),
                token("bob", AdminToken.Rights.CHANGE, "fedcba9876543210"));
        try (CapturedLog log = new CapturedLog(AdminServer.class)) {
            String bob = "Host: localhost\r\nAuthorization: Bearer fedcba9876543210\r\n";
            assertThat(ask("DELETE", "/keys/a%3Ab?x=1", bob).status()).isEqualTo(200);

            assertThat(log.lines()).containsExactly("admin: DELETE /keys/a%3Ab: 200, by token bob from 127.0.0.1");
        }
    }

    /** A form can't send an Authorization field, and an address with a token would be in logs. */
    @Test
    void formsSendTheTokenInTheBody() throws IOException {
        restart(token("reader", AdminToken.Rights.READ, "0123456789abcdef"));
        String form = "access_token=0123456789abcdef";

        assertThat(ask("POST", "/profile?" + form, "Host: localhost\r\n").status())
                .isEqualTo(401);
        assertThat(ask(
                                "POST",
                                "/profile",
                                "Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                                        + form.length() + "\r\n\r\n" + form)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aTokenForReadingProtectsAllButProbesAndPages() throws IOException {
        restart(
                token("reader", AdminToken.Rights.READ, "0123456789abcdef"),
                token("boss", AdminToken.Rights.CHANGE, "fedcba9876543210"));
        String reader = "Host: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n";
        String boss = "Host: localhost\r\nAuthorization: Bearer fedcba9876543210\r\n";

        for (String request : List.of("GET /keys", "POST /profile")) {
            String method = request.substring(0, request.indexOf(' '));
            String path = request.substring(request.indexOf(' ') + 1);
            assertThat(ask(method, path, "Host: localhost\r\n").status()).isEqualTo(401);
            assertThat(ask(method, path, reader).status()).isEqualTo(200);
            assertThat(ask(method, path, boss).status()).isEqualTo(200);
        }
        assertThat(ask("DELETE", "/keys/a", boss).status()).isEqualTo(200);
        RawClient.Response refused = ask("DELETE", "/keys/a", reader);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("The token reader may only read");
        assertThat(get("/livez").status()).isEqualTo(200);
        assertThat(get("/keys", "Accept: text/html\r\n").body()).isEqualTo("page of keys");
    }

    @Test
    void limitsAndLogsWrongTokens() throws IOException {
        restart(token("token", AdminToken.Rights.CHANGE, "0123456789abcdef"));
        String right = "Host: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n";
        try (CapturedLog log = new CapturedLog(AdminAccess.class)) {
            for (int i = 0; i < GuessLimiter.BURST; i++) {
                assertThat(ask("DELETE", "/keys/a", right.replace("cdef", "cde" + i))
                                .status())
                        .isEqualTo(401);
            }
            RawClient.Response limited = ask("DELETE", "/keys/a", right);
            assertThat(limited.status()).isEqualTo(429);
            assertThat(limited.field("Retry-After")).isEqualTo("6");
            assertThat(log.lines()).containsExactly("admin: wrong token from 127.0.0.1 (more may follow)");
        }
        assertThat(get("/keys").status()).as("reading needs no token").isEqualTo(200);
        ticker.advance(6, TimeUnit.SECONDS);
        assertThat(ask("DELETE", "/keys/a", right).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "0123456789 abcdef", "0123456789abcde\u00e9"})
    void refusesInvalidTokens(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AdminToken.read("token", AdminToken.Rights.CHANGE, file))
                .withMessageContaining("expected: 16 or more");
    }
}
