package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.HeadLint;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.RuleTable;
import dev.postern.core.testing.RuleTable.Rule;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends the requests of {@code request-rules.txt}; the upstream checks every byte that it receives. */
@ExtendWith(LeakExtension.class)
class RequestRulesTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final RawClient client = gateway.client();

    @AfterEach
    void close() {
        gateway.close();
    }

    static List<Rule> rules() {
        return RuleTable.read(RequestRulesTest.class, "request-rules.txt");
    }

    @Test
    void rulesAreDistinct() {
        Map<String, Long> requests =
                rules().stream().collect(Collectors.groupingBy(Rule::toString, Collectors.counting()));
        assertThat(requests)
                .allSatisfy((rule, count) -> assertThat(count).as(rule).isOne());
        assertThat(rules().stream()
                        .map(Rule::sent)
                        .collect(Collectors.toMap(Function.identity(), s -> 1, Integer::sum)))
                .allSatisfy((sent, count) -> assertThat(count).as(sent).isOne());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holds(Rule rule) {
        client.send(rule.sent());
        @Nullable Line line = null;
        if (rule.expected().equals(List.of("-"))) {
            assertThat(gateway.connects()).as("reaches the upstream").isFalse();
        } else if (!rule.expected().equals(List.of("incomplete"))) {
            line = gateway.accept();
            gateway.pass(Duration.ofSeconds(1)); // for an upstream that ignores an expectation
            TestOrigin.Received got = line.readRequest();
            assertThat(HeadLint.faults(got.head())).isEmpty();
            assertThat(got.line()).isEqualTo(rule.expected().get(0));
            rule.expected().stream().skip(1).forEach(expected -> check(expected, got));
            line.ok("hello");
        } else if (gateway.connects()) {
            assertThat(gateway.accept().rest()).as("the end of the body").doesNotContain("\r\n0\r\n");
        }
        RawClient.Response response = client.read();
        while (response.status() == 100) {
            response = client.read();
        }
        assertThat(response.status()).isEqualTo(rule.status());
        if (rule.status() >= 400) {
            assertThat(response.field("Content-Type")).isEqualTo("application/problem+json");
        }
        if (rule.outcome().endsWith("!")) {
            assertThat(response.field("Connection")).isEqualTo("close");
            assertThat(client.closedByPeer()).as("the connection is closed").isTrue();
        } else {
            client.send("GET /after HTTP/1.1\r\nHost: h\r\n\r\n");
            Line next = line == null ? gateway.accept() : line;
            assertThat(next.readHead()).startsWith("GET /after ");
            next.ok("after");
            assertThat(client.read().body()).as("the connection is reused").isEqualTo("after");
        }
    }

    private static void check(String expected, TestOrigin.Received got) {
        String head = "\r\n" + got.head().toLowerCase(Locale.ROOT);
        String field = expected.substring(1).toLowerCase(Locale.ROOT);
        if (expected.startsWith("+")) {
            assertThat(head).contains("\r\n" + (field.endsWith(":") ? field + " " : field) + "\r\n");
        } else if (expected.startsWith("-")) {
            assertThat(head).doesNotContain("\r\n" + field + ":");
        } else {
            assertThat(new String(got.body(), java.nio.charset.StandardCharsets.ISO_8859_1))
                    .isEqualTo(expected.substring("body=".length()));
        }
    }
}
