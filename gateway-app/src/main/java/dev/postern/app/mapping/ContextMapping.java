package dev.postern.app.mapping;

import dev.postern.app.config.AdminConfig;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.context.Baseline;
import dev.postern.app.context.ProcessContext;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to what the hidden context compares with. */
public final class ContextMapping {

    private ContextMapping() {}

    /** Returns the baseline of the configuration; null for none. Throws {@link IllegalStateException} when it can't be read. */
    public static @Nullable Baseline baseline(AdminConfig admin) {
        String file = admin.baselineFile();
        try {
            return file == null ? null : Baseline.parse(Files.readString(Path.of(file)));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("admin.baseline-file: " + file + ": " + e.getMessage(), e);
        }
    }

    /** @param shares limits client connections in addition to {@code limits.connections} */
    public static ProcessContext.Needs needs(GatewayConfig config, DescriptorShares shares) {
        List<Integer> pools = config.upstreams().stream()
                .map(UpstreamConfig::pool)
                .map(UpstreamSettings.Pool::maxConnections)
                .toList();
        int all = pools.stream().mapToInt(Integer::intValue).sum();
        int largest = pools.stream().mapToInt(Integer::intValue).max().orElse(0);
        int clients = config.limits().connections();
        return new ProcessContext.Needs(clients + all, clients, shares.connections(config), largest);
    }

    /** Returns whether a listener or an upstream has TLS. */
    public static boolean hasTls(GatewayConfig config) {
        return config.listeners().stream().anyMatch(listener -> listener.tls() != null)
                || config.upstreams().stream().anyMatch(upstream -> upstream.tls() != null);
    }
}
