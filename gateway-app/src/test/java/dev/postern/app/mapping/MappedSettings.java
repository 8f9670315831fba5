package dev.postern.app.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.TlsEnvironment;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Ticker;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The settings that the modules receive from a configuration, as text by the path of each component. */
final class MappedSettings {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", trusted-proxies: [10.0.0.0/8]}
              - {name: out, address: "127.0.0.1:0", mode: forward, forward: default}
            privacy-pass:
              issuers: [{name: issuer.example, directory: "https://issuer.example/"}]
            rate-limits:
              - {name: site, rate: 100/s, per: route, fair-queue: {active-sessions: 1}}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:1"]}
            routes:
              - {upstream: app, token: session}
            forward:
              default: {token: off}
            tracing: {endpoint: "http://127.0.0.1:1/v1/traces"}
            """;

    /** Names of components that differ from the last word of their key. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("limits.min-body-rate", "bytesPerSecond"),
            Map.entry("rate-limits[].per", "kind"),
            Map.entry("routes[].challenge.origin-names", "originInfo"),
            Map.entry("routes[].min-body-rate", "bytesPerSecond"),
            Map.entry("transport.nat64-prefixes", "networks"),
            Map.entry("upstreams[].balance", "kind"));

    private static final TlsEnvironment ENVIRONMENT = TestTls.environment(TlsEngine.Kind.JDK);

    private final Map<String, String> leaves = new TreeMap<>();

    private MappedSettings(GatewayConfig config) {
        SocketMapping sockets = new SocketMapping(config.transport());
        ListenerMapping listeners = new ListenerMapping(config, sockets, ENVIRONMENT);
        add("listener", listeners.listener(config.listeners().get(0)));
        add("outboundBytes", config.overload().outboundBytes());
        add("overload", config.overload());
        UpstreamMapping upstreams = new UpstreamMapping(
                sockets,
                ENVIRONMENT.engine(),
                ExtensionLoader.load(null, new SimpleMeterRegistry(), Ticker.systemTicker()));
        config.upstreams()
                .forEach(one ->
                        add("upstream", upstreams.settings(one, one.pool().maxConnections())));
        var routing = new RouteMapping(config).policy(Map.of());
        add("routes", routing.routes().all());
        add("forward", routing.forwards());
        AdmissionMapping admission = new AdmissionMapping(config);
        add("auth", config.privacyPass());
        add("rateLimits", admission.rateLimits());
        add("log", config.log());
        add("trace", config.tracing());
    }

    /** @param settings {@code key=value} each, beside a configuration with one of everything */
    static Map<String, String> of(String... settings) {
        LoadedConfig loaded = new ConfigReader(Map.of(), List.of(settings)).read("test", YAML, Path.of(""));
        assertThat(loaded.problems()).isEmpty();
        return new MappedSettings(loaded.config()).leaves;
    }

    /** Returns the name of the component that a key has its value in. */
    static String component(String key) {
        StringBuilder name = new StringBuilder();
        for (String word : key.substring(key.lastIndexOf('.') + 1).split("-")) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return NAMES.getOrDefault(key, name.toString());
    }

    /** Adds a value with a text; others, such as templates, are left out. */
    private void add(String path, @Nullable Object value) {
        if (value instanceof Gcra gcra) {
            leaves.put(path, gcra.intervalMicros() + " us, tolerates " + gcra.toleranceMicros() + " us");
        } else if (value instanceof Share share) {
            leaves.put(path, Double.toString(share.fraction()));
        } else if (value instanceof ByteSize size) {
            leaves.put(path, Long.toString(size.bytes()));
        } else if (value instanceof CidrSet set) {
            leaves.put(path, "with 127.0.0.1: " + set.contains(InetAddress.getLoopbackAddress()));
        } else if (value instanceof ClientNetworks networks) {
            leaves.put(
                    path,
                    networks.client(NetUtil.createInetAddressFromIpAddressString("2001:db8:64::c000:201"))
                            .toString());
        } else if (value instanceof Record settings && !(value instanceof Rate)) {
            components(path, settings);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, one) -> add(path + "." + key, one));
        } else if (value instanceof Collection<?> all
                && all.iterator().hasNext()
                && all.iterator().next() instanceof Record) {
            int index = 0;
            for (Object one : all) {
                add(path + "." + index++, one);
            }
        } else if (value == null
                || value.getClass().getName().startsWith("java.")
                || value instanceof Enum
                || value instanceof Rate) {
            leaves.put(path, String.valueOf(value));
        }
    }

    private void components(String path, Record settings) {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            try {
                var accessor = component.getAccessor();
                accessor.setAccessible(true);
                add(path + "." + component.getName(), accessor.invoke(settings));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
    }
}
