package dev.postern.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the validation of configurations with the JSON schema, as in editors. */
class SchemaTest {

    private static final Path ROOT = root();

    private static Schema schema;

    private static Path root() {
        Path path = Path.of("").toAbsolutePath();
        while (path != null && !Files.exists(path.resolve("mvnw"))) {
            path = path.getParent();
        }
        return path == null ? Path.of("") : path;
    }

    @BeforeAll
    static void read() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/gateway.schema.json"));
        schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(text);
    }

    private static List<String> errors(String yaml) {
        return schema.validate(yaml, InputFormat.YAML).stream()
                .map(Object::toString)
                .toList();
    }

    /** Returns samples, and all complete or partial configurations in the docs. */
    static Stream<String> configurations() throws IOException {
        List<String> all = new ArrayList<>();
        all.add(Files.readString(ROOT.resolve("docker/gateway.yaml")));
        String kubernetes = Files.readString(ROOT.resolve("docker/kubernetes/config.yaml"));
        all.add(kubernetes.split("gateway.yaml: \\|\n", 2)[1].replaceAll("(?m)^ {4}", ""));
        for (String name : List.of("demo.yaml", "warm-up.yaml")) {
            all.add(Files.readString(
                    ROOT.resolve("gateway-app/src/main/resources").resolve(name)));
        }
        try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
            for (Path page :
                    pages.filter(p -> p.toString().endsWith(".md")).sorted().toList()) {
                String[] pieces = Files.readString(page).split("```yaml\n");
                for (int i = 1; i < pieces.length; i++) {
                    String block = pieces[i].split("```")[0];
                    if (SECTIONS.stream().anyMatch(section -> block.startsWith(section + ":"))) {
                        all.add(block);
                    }
                }
            }
        }
        return all.stream();
    }

    private static final List<String> SECTIONS = List.of(
            "instance",
            "secrets",
            "listeners",
            "admin",
            "limits",
            "privacy-pass",
            "redis",
            "rate-limits",
            "upstreams",
            "routes",
            "forward");

    @ParameterizedTest
    @MethodSource("configurations")
    void acceptsEverySample(String yaml) {
        assertThat(errors(yaml)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limits: {head-timeout: 10 seconds}",
                "limits: {head-timeout: 10}",
                "limits: {request-head: 16KB}",
                "limits: {request-head: 16384}",
                "log: {successes: 1}",
                "log: {refusal-rate: 10}",
                "privacy-pass: {failure-budget: 10/day}",
                "admin: {address: '9180'}",
                "admin: {address: 'localhost'}",
                "transport: {kind: kqueue}",
                "limits: {pipeline-depth: many}",
                "limits: {pipeline-depth: 1025}",
                "transport: {event-loops: -1}",
                "privacy-pass: {ledger: {deadline: 0}}",
                "http2: {max-resets: 0}",
                "rate-limits: [{name: a, fair-queue: {tenants: {weights: {shop: 101}}}}]",
                "rate-limits: [{name: a, rate: 10/s, fair-queue: {active-sessions: 0}}]",
                "rate-limits: [{rate: 10/s}]",
                "limit: {}"
            })
    void refusesOtherForms(String yaml) {
        // of one place, which may be neither of its forms: a value of a list and a reference
        assertThat(errors(yaml).stream().map(error -> error.split(": ", 2)[0]).distinct())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transport: {kind: '${KIND}', event-loops: '${file:loops}'}",
                "limits: {request-body: 0, head-timeout: 1.5s}",
                "routes: [{upstream: app, timeout: 0, request-body: 10 MiB}]",
                "log: {successes: 0.5%, refusal-rate: 0}",
                "limits: {pipeline-depth: 1024, discard-body: 0}",
                "rate-limits: [{name: a, fair-queue: {tenants: {weights: {shop: 100}}}}]",
                "admin: {address: '[::1]:0', probes-address: null}",
                "rate-limits: [{name: a, rate: 10/s, fair-queue: {active-sessions: auto}}]",
                "rate-limits: [{name: a, rate: 10/s, fair-queue: {active-sessions: 7}}]"
            })
    void acceptsEveryForm(String yaml) {
        assertThat(errors(yaml)).isEmpty();
    }

    @Test
    void defaultsAreValid() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/gateway.schema.json"));

        assertThat(text)
                .contains(
                        "\"default\" : \"16KiB\"",
                        "\"default\" : 8",
                        "\"default\" : [ 2 ]",
                        "\"default\" : null",
                        "\"default\" : true");
    }
}
