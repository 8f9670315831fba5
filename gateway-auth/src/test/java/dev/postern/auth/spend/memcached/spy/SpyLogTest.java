package dev.postern.auth.spend.memcached.spy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.spy.memcached.compat.log.Level;
import org.junit.jupiter.api.Test;

class SpyLogTest {

    private final List<Throwable> causes = new ArrayList<>();
    private final SpyLog log = new SpyLog(causes::add);

    @Test
    void passesOnCausesOfFailures() {
        IOException refused = new IOException("refused");
        IOException closed = new IOException("closed");

        log.log(Level.INFO, "Reconnecting", refused);
        log.log(Level.INFO, "Added", null);
        log.log(Level.WARN, "Closing", closed);

        assertThat(causes).containsExactly(refused, closed);
    }

    @Test
    void takesMessagesFromInfoUpwards() {
        assertThat(log.isTraceEnabled()).isFalse();
        assertThat(log.isDebugEnabled()).isFalse();
        assertThat(log.isInfoEnabled()).as("the library passes causes at INFO").isTrue();
    }
}
