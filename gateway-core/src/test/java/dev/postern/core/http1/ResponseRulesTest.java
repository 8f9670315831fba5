package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.RuleTable;
import dev.postern.core.testing.RuleTable.Rule;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends the upstream responses of {@code response-rules.txt} byte by byte, and checks what the client receives. */
@ExtendWith(LeakExtension.class)
class ResponseRulesTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();
    private final RawClient client = gateway.client();

    @AfterEach
    void close() {
        gateway.close();
    }

    static List<Rule> rules() {
        return RuleTable.read(ResponseRulesTest.class, "response-rules.txt");
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holds(Rule rule) {
        client.send(GET);
        try (Line line = gateway.acceptRequest()) {
            line.send(rule.sent().replace("{END}", ""));
            if (rule.sent().endsWith("{END}")) {
                line.finish();
            }
            if (rule.outcome().endsWith("cut")) {
                // The client receives nothing when the fault occurred before the head was sent.
                assertThat(client.rest())
                        .matches("(?s)|HTTP/1.1 " + rule.status() + " .*")
                        .doesNotEndWith("0\r\n\r\n");
                return;
            }
            RawClient.Response response = client.read();
            assertThat(response.status()).isEqualTo(rule.status());
            rule.expected().forEach(expected -> check(expected, response));
            if (rule.status() == 502) {
                assertThat(response.body()).containsAnyOf("upstream-malformed", "upstream-closed");
            }
            if (rule.outcome().endsWith("/")) {
                assertThat(line.rest())
                        .as("the upstream's connection is closed")
                        .isEmpty();
            } else {
                client.send(GET);
                line.readHead();
                line.ok("again");
                assertThat(client.read().body()).isEqualTo("again");
            }
        }
    }

    private static void check(String expected, RawClient.Response response) {
        String head = response.head().toLowerCase(Locale.ROOT);
        if (expected.startsWith("+")) {
            String line = expected.substring(1).toLowerCase(Locale.ROOT);
            assertThat(head).contains(line.contains(":") ? "\r\n" + line + "\r\n" : "\r\n" + line + ":");
        } else if (expected.startsWith("-")) {
            assertThat(head).doesNotContain("\r\n" + expected.substring(1).toLowerCase(Locale.ROOT) + ":");
        } else {
            assertThat(response.body()).isEqualTo(expected.substring("body=".length()));
        }
    }
}
