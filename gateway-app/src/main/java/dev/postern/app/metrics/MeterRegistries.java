package dev.postern.app.metrics;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.channel.EventLoopGroup;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens the registry of all meters and binds the meters of the JVM, the machine and Netty. */
public final class MeterRegistries {

    /**
     * Configuration with exemplars beside buckets only, as in OpenMetrics 1.0. By default Micrometer puts exemplars beside counts too, and
     * Prometheus before 2.43 then rejects the whole page.
     */
    private static final PrometheusConfig BUCKETS_ALONE = new PrometheusConfig() {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public Properties prometheusProperties() {
            return new Properties();
        }
    };

    private MeterRegistries() {}

    /**
     * @param opened closes the registry, and the collectors, which would otherwise keep reporting to it
     * @param version of this release
     */
    public static PrometheusMeterRegistry open(Consumer<AutoCloseable> opened, String version) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(BUCKETS_ALONE);
        opened.accept(registry::close);
        new JvmMemoryMetrics().bindTo(registry);
        JvmGcMetrics gc = new JvmGcMetrics();
        opened.accept(gc);
        gc.bindTo(registry);
        JvmHeapPressureMetrics pressure = new JvmHeapPressureMetrics();
        opened.accept(pressure);
        pressure.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        Meters.BUILD_INFO.gauge(registry, () -> 1, version, Runtime.version().toString());
        return registry;
    }

    /** Binds the meters of event loops and buffers. */
    public static void watch(PrometheusMeterRegistry registry, EventLoopGroup loops, ByteBufAllocator allocator) {
        new NettyEventExecutorMetrics(loops).bindTo(registry);
        if (allocator instanceof ByteBufAllocatorMetricProvider provider) {
            new NettyAllocatorMetrics(provider).bindTo(registry);
        }
    }
}
