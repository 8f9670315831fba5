package dev.postern.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.core.appender.AppenderLoggingException;
import org.junit.jupiter.api.Test;

class WriteFailuresTest {

    private final List<String> received = new ArrayList<>();
    private final WriteFailures failures = new WriteFailures(received::add, Ticker.newMockTicker());

    @Test
    void reportsManyFailuresInOneLineWithTheReason() {
        for (int i = 0; i < 1000; i++) {
            failures.error(
                    "Unable to write to stream",
                    null,
                    new AppenderLoggingException("", new IOException("Broken pipe")));
        }

        assertThat(received).hasSize(1);
        assertThat(received.get(0)).contains("can't be written: Broken pipe;").doesNotContain("\n");
    }

    @Test
    void usesTheMessageWithoutAFailure() {
        failures.error("appender is stopped");

        assertThat(received).singleElement().asString().contains("can't be written: appender is stopped;");
    }
}
