package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys that say when load is shed. Thresholds are shares of what this process happens to hold. */
class OverloadSettingsIT {

    private static final int MEBI = 1024 * 1024;
    private static final int LARGE = 192 * MEBI; // beside which it does not matter what other tests leave behind
    private static final int READERS = 16;
    private static final int BUDGET = MEBI / 2;

    private static String share(String key, double shedAt, double end) {
        return "overload.%s={shed-above: %.3f%%, resume-below: %.3f%%}".formatted(key, 100 * shedAt, 100 * end);
    }

    private static void ready(Site site, int status) {
        await().untilAsserted(() -> assertThat(site.admin("/readyz").status()).isEqualTo(status));
    }

    private static double direct() {
        long jvm = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return (double) Math.max(PlatformDependent.usedDirectMemory(), jvm) / PlatformDependent.maxDirectMemory();
    }

    private static double of(int mebibytes) {
        return (double) mebibytes * MEBI / PlatformDependent.maxDirectMemory();
    }

    @Test
    void heapIsBounded() {
        byte[] kept = new byte[32 * MEBI];
        System.gc();
        try (Site site = Site.with(share("heap", 0.01, 0.005))) {
            ready(site, 503);
            assertThat(site.get("/").body()).contains("\"code\":\"overloaded\"");
            assertThat(site.admin("/readyz").body()).contains("\"shedding\" : \"heap\"");
            assertThat(site.admin("/metrics").body()).contains("postern_overload_shedding{resource=\"heap\"} 1.0");
        }
        try (Site site = Site.with()) {
            ready(site, 200);
            assertThat(site.get("/").status()).isEqualTo(200);
        }
        assertThat(kept).hasSize(32 * MEBI);
    }

    /** Once neither a collection nor the end of another test takes something away any more. */
    private static double settledDirect() {
        double[] last = {-1};
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            System.gc();
            double before = last[0];
            last[0] = direct();
            return before == last[0];
        });
        return last[0];
    }

    @Test
    void directMemoryIsBounded() {
        double before = settledDirect();
        String upper = share("direct-memory", before + of(96), before + of(64));
        String low = share("direct-memory", before + of(96), 0);
        try (Site site = Site.with(upper)) {
            ready(site, 200);
            ByteBuf large = PooledByteBufAllocator.DEFAULT.directBuffer(LARGE);
            try {
                ready(site, 503);
                assertThat(site.admin("/readyz").body()).contains("\"shedding\" : \"direct-memory\"");
            } finally {
                large.release();
            }
            ready(site, 200);
        }
        try (Site site = Site.with(low)) {
            ByteBuf large = PooledByteBufAllocator.DEFAULT.directBuffer(LARGE);
            try {
                ready(site, 503);
            } finally {
                large.release();
            }
            // Less than where it began, and not less than where it ends.
            await().during(Duration.ofSeconds(4))
                    .until(() -> site.admin("/readyz").status() == 503);
        }
    }

    @Test
    void lateLoopsAreAnOverload() {
        try (Site site = Site.with("overload.loop-lag={shed-above: 1us, resume-below: 0.1us}")) {
            ready(site, 503);
            assertThat(site.admin("/readyz").body()).contains("\"shedding\" : \"loop-lag\"");
            assertThat(site.get("/").status()).isEqualTo(503);
        }
        try (Site site = Site.with("overload.loop-lag.shed-above=0")) {
            ready(site, 200);
        }
    }

    /**
     * The share is that of a budget in bytes, however much direct memory there is, and on one loop only one connection at a time may find the
     * budget not used up yet, however many cores there are.
     */
    @Test
    void whatWaitsForSlowReadersIsBounded() {
        assertThat(unsent("overload.outbound-buffers=0%", 3 * MEBI)).isGreaterThan(3 * MEBI);
        String bounded = "overload.outbound-buffers=%.6f%%".formatted(100 * of(1) * BUDGET / MEBI);
        assertThat(unsent(bounded, 0)).isLessThan(2 * MEBI);
    }

    /** What waits for clients that read nothing, once no upstream can send more; waits until it is more than the least. */
    private static double unsent(String setting, double least) {
        List<RawClient> clients = new ArrayList<>();
        try (RawOrigin origin = new RawOrigin();
                Site site = Site.with(
                        setting, "transport.event-loops=1", "upstreams.app.endpoints=[\"" + origin.address() + "\"]")) {
            List<RawOrigin.Pouring> responses = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                clients.add(site.client().send(Site.request("GET", "/")));
                RawOrigin.Line line = origin.accept();
                line.readHead();
                responses.add(line.pour(24_000_000));
            }
            await().pollInterval(Duration.ofMillis(300))
                    .until(() -> responses.stream().allMatch(RawOrigin.Pouring::stopped) && unsent(site) > least);
            double found = unsent(site);
            clients.forEach(RawClient::reset);
            return found;
        }
    }

    private static double unsent(Site site) {
        String metrics = site.admin("/metrics").body();
        int offset = metrics.indexOf("\npostern_connections_unsent ");
        return Double.parseDouble(metrics.substring(offset + 28, metrics.indexOf('\n', offset + 1)));
    }
}
