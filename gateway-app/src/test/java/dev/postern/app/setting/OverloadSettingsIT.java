package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the keys for load shedding. The thresholds depend on the current use of this process. */
class OverloadSettingsIT {

    private static final int MEBI = 1024 * 1024;
    private static final int LARGE = 192 * MEBI; // much more than other tests leave allocated

    private static String share(String key, double shedAt, double end) {
        return "overload.%s={shed-above: %.3f%%, resume-below: %.3f%%}".formatted(key, 100 * shedAt, 100 * end);
    }

    private static void ready(Site site, int status) {
        await().untilAsserted(() -> assertThat(site.admin("/readyz").status()).isEqualTo(status));
    }

    private static double directShare() {
        long jvm = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return (double) Math.max(PlatformDependent.usedDirectMemory(), jvm) / PlatformDependent.maxDirectMemory();
    }

    private static double shareOf(int mebibytes) {
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
            assertThat(site.metrics()).contains("postern_overload_shedding{resource=\"heap\"} 1.0");
        }
        try (Site site = Site.with()) {
            ready(site, 200);
            assertThat(site.get("/").status()).isEqualTo(200);
        }
        assertThat(kept).hasSize(32 * MEBI);
    }

    /** Returns the used share of direct memory, once it does not change any more. */
    private static double settledDirect() {
        double[] last = {-1};
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            System.gc();
            double previous = last[0];
            last[0] = directShare();
            return previous == last[0];
        });
        return last[0];
    }

    @Test
    void directMemoryIsBounded() {
        double used = settledDirect();
        try (Site site = Site.with(share("direct-memory", used + shareOf(96), used + shareOf(64)))) {
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
    }

    @Test
    void loopLagIsBounded() {
        try (Site site = Site.with("overload.loop-lag={shed-above: 1us, resume-below: 0.1us}")) {
            ready(site, 503);
            assertThat(site.admin("/readyz").body()).contains("\"shedding\" : \"loop-lag\"");
            assertThat(site.get("/").status()).isEqualTo(503);
        }
    }
}
