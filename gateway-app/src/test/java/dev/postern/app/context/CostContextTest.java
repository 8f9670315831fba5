package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CostContextTest {

    private CostContext.Totals now = new CostContext.Totals(0, 0, 0, 0);
    private final CostContext cost = new CostContext(() -> now);

    private List<ContextItem> itemsAfter(int exchanges, double micros, double bytes, long compilerMillis) {
        now = new CostContext.Totals(
                now.exchanges() + exchanges,
                now.cpuNanos() + Math.round(exchanges * micros * 1000),
                now.compilerMillis() + compilerMillis,
                now.allocatedBytes() + Math.round(exchanges * bytes));
        return cost.items();
    }

    private static String cpu(List<ContextItem> items) {
        return ContextItems.item(items, "cost.cpu-per-exchange-us").found();
    }

    @Test
    void isTheMedianOfWindowsWithWork() {
        assertThat(cpu(itemsAfter(1000, 20, 500, 0))).isEmpty();
        assertThat(cpu(itemsAfter(1000, 90, 500, 0))).isEmpty();
        List<ContextItem> items = itemsAfter(1000, 30, 600, 0);
        assertThat(cpu(items)).isEqualTo("30.0");
        assertThat(ContextItems.item(items, "cost.heap-per-exchange-bytes").found())
                .isEqualTo("500.0");
    }

    @Test
    void ignoresWindowsWithCompilerWork() {
        for (int i = 0; i < 5; i++) {
            assertThat(cpu(itemsAfter(1000, 100, 500, 6))).isEmpty();
        }
        itemsAfter(1000, 20, 500, 0);
        itemsAfter(1000, 20, 500, 0);
        assertThat(cpu(itemsAfter(1000, 20, 500, 1))).isEqualTo("20.0");
    }

    @Test
    void accumulatesFewExchangesIntoOneWindow() {
        for (int i = 0; i < 14; i++) {
            assertThat(cpu(itemsAfter(100, 20, 500, 0))).isEmpty();
        }
        assertThat(cpu(itemsAfter(100, 20, 500, 0))).isEqualTo("20.0");
    }

    @Test
    void dropsOldWindows() {
        for (int i = 0; i < 9; i++) {
            itemsAfter(1000, 20, 500, 0);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(cpu(itemsAfter(1000, 40, 500, 0))).isEqualTo("20.0");
        }
        assertThat(cpu(itemsAfter(1000, 40, 500, 0))).isEqualTo("40.0");
    }

    @Test
    void readsTheTotalsOfTheProcess() {
        CostContext.Totals totals = CostContext.Totals.read(7);
        assertThat(totals.exchanges()).isEqualTo(7);
        assertThat(totals.cpuNanos()).isPositive();
        assertThat(totals.allocatedBytes()).isPositive();
    }
}
