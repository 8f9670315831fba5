package dev.postern.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FailureBufferTest {

    private static final Pattern NAMED = Pattern.compile("`([a-z-]+)`");

    /** Operators look for a 5xx that their client saw: the page says which of them have no record. */
    @Test
    void docsNameEachRefusalWithoutARecord() throws IOException {
        String section = Files.readString(Path.of("../docs/observe.md"))
                .split("## Read failure records\n", 2)[1]
                .split("\n## ", 2)[0];
        String exceptions = section.substring(section.indexOf("not `"), section.indexOf(", which"));

        assertThat(NAMED.matcher(exceptions).results().map(match -> match.group(1)))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Refusal.values())
                        .filter(refusal -> refusal.status() >= 500)
                        .filter(refusal -> !FailureBuffer.incident(refusal, refusal.status()))
                        .map(Refusal::code)
                        .toList());
    }
}
