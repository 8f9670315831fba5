package dev.postern.load.oldnew;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class OldNewBenchTest {
    private final StringWriter errors = new StringWriter();
    private final CommandLine command = new CommandLine(new OldNewBench())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setErr(new PrintWriter(errors));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HEAD --rounds 0           | --rounds: 0 (expected: 1 or more)
            HEAD --rounds-per-start 0 | --rounds-per-start: 0 (expected: 1 or more)
            HEAD --seconds 0          | --seconds: 0 (expected: 1 or more)
            HEAD --warm-up 0          | --warm-up: 0 (expected: 1 or more)
            HEAD --only disk          | expected one of [PROXY, TLS, SPEND, ROOM]
            no-such-commit            | COMMIT: no-such-commit (expected: a commit of this project)
            HEAD HEAD~1               | Unmatched argument
            """)
    void refusesWrongArguments(String arguments, String message) {
        assertThat(command.execute(arguments.split(" "))).isEqualTo(2);

        assertThat(errors.toString()).contains(message);
    }

    @Test
    void refusesACallWithoutCommit() {
        assertThat(command.execute("--only", "proxy")).isEqualTo(2);

        assertThat(errors.toString()).contains("Missing required parameter: 'COMMIT'");
    }
}
