package dev.postern.load.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JavaPeerTest {
    @Test
    void quotesTheFirstErrorLine() {
        String output = """
                ./mvnw -q: exit status 1
                [WARNING] The POM is missing
                [ERROR] Failed to execute goal on project vertx: Could not resolve io.vertx:vertx-core:jar:0.0.0
                [ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
                """;

        assertThat(JavaPeer.firstError(output))
                .isEqualTo("Failed to execute goal on project vertx: Could not resolve io.vertx:vertx-core:jar:0.0.0");
    }

    @Test
    void reportsMissingMavenOutput() {
        assertThat(JavaPeer.firstError("./mvnw: exit status 137\n")).contains("without a word");
    }
}
