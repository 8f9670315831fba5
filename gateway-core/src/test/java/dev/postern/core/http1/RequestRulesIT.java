package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.HeadLint;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RuleTable;
import dev.postern.core.testing.RuleTable.Rule;
import dev.postern.core.testing.TestOrigin;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends the requests of {@code request-rules.txt} over raw sockets; the upstream checks every byte that it receives. */
@ExtendWith(LeakExtension.class)
class RequestRulesIT {

    private static TestOrigin origin;
    private static CoreGateway gateway;

    @BeforeAll
    static void start() {
        origin = new TestOrigin();
        gateway = new CoreGateway(Setup.of(origin.address()));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        origin.close();
    }

    static List<Rule> rules() {
        return RuleTable.read(RequestRulesIT.class, "request-rules.txt");
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
        int previous = origin.received().size();
        try (RawClient client = new RawClient(gateway.port())) {
            RawClient.Response response = client.send(rule.sent()).read();
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
                assertThat(client.get("/after").status())
                        .as("the connection is reused")
                        .isEqualTo(200);
            }
        }
        List<TestOrigin.Received> got = origin.received().stream()
                .skip(previous)
                .filter(r -> !r.line().startsWith("GET /after "))
                .toList();
        assertThat(got).allSatisfy(r -> assertThat(HeadLint.faults(r.head())).isEmpty());
        if (rule.expected().equals(List.of("-")) || rule.expected().equals(List.of("incomplete"))) {
            assertThat(got.stream().map(TestOrigin.Received::head)).isEmpty();
        } else {
            assertThat(got).hasSize(1);
            assertThat(got.get(0).line()).isEqualTo(rule.expected().get(0));
            rule.expected().stream().skip(1).forEach(expected -> check(expected, got.get(0)));
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
