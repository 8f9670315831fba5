package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.StoreConnectionInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerContextTest {

    private static ContextItem item(String name, StoreConnectionInfo... connections) {
        return ContextItems.item(ConnectionContext.ledger(List.of(connections)), "ledger one:11211." + name);
    }

    @Test
    void reportsNagleOnAnyConnection() {
        ContextItem item = item(
                "tcp-no-delay",
                new StoreConnectionInfo("one:11211", true, Double.NaN),
                new StoreConnectionInfo("one:11211", false, Double.NaN));
        assertThat(item.drifted()).isTrue();
        assertThat(item.found()).isEqualTo("false");
    }

    @Test
    void reportsCommandsInSeveralSegments() {
        ContextItem item = item("segments-per-command", new StoreConnectionInfo("one:11211", true, 3));
        assertThat(item.drifted()).isTrue();
        assertThat(item.found()).isEqualTo("3.00");
        assertThat(item.wanted()).isEqualTo("at most 1");
        assertThat(item("segments-per-command", new StoreConnectionInfo("one:11211", true, 0.2))
                        .drifted())
                .isFalse();
    }

    @Test
    void reportsUnknownWithoutSocketCounters() {
        ContextItem item = item("segments-per-command", new StoreConnectionInfo("one:11211", true, Double.NaN));
        assertThat(item.verdict()).isEqualTo(ContextItem.Verdict.UNKNOWN);
        assertThat(item.advice()).contains("netty");
    }
}
