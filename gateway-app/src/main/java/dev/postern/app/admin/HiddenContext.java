package dev.postern.app.admin;

import dev.postern.core.transport.SocketWatch;
import dev.postern.core.transport.Transport;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The report of the hidden context: settings outside the code that decide performance, read back from the kernel and the JVM.
 *
 * <p>Called by admin threads; reads files under {@code /proc}.
 */
public final class HiddenContext {

    private static final Path KERNEL = Path.of("/proc/sys/net");

    private final Transport transport;
    private final SocketWatch sockets;
    private final Supplier<Map<String, String>> more;

    /** @param more facts of other rooms, such as the crypto provider, by item name */
    public HiddenContext(Transport transport, SocketWatch sockets, Supplier<Map<String, String>> more) {
        this.transport = transport;
        this.sockets = sockets;
        this.more = more;
    }

    /** The report of now. */
    public List<ContextItem> report() {
        List<ContextItem> items = new ArrayList<>();
        items.add(ContextItem.compare(
                "transport",
                transport.isNative() ? transport.name() : "epoll",
                transport.name(),
                "Set transport.kind: epoll and run on Linux with the native library (" + transport.why() + ")."));
        sockets.seen().forEach(seen -> socket(items, seen));
        items.add(ContextItem.fact("kernel.congestion-control", kernel("ipv4/tcp_congestion_control")));
        items.add(ContextItem.fact("kernel.congestion-controls", kernel("ipv4/tcp_available_congestion_control")));
        items.add(
                ContextItem.fact("kernel.congestion-controls-allowed", kernel("ipv4/tcp_allowed_congestion_control")));
        items.add(ContextItem.fact("kernel.somaxconn", kernel("core/somaxconn")));
        jvm(items);
        more.get().forEach((item, found) -> items.add(ContextItem.fact(item, found)));
        return items;
    }

    private static void socket(List<ContextItem> items, SocketWatch.Seen seen) {
        items.add(ContextItem.compare(
                seen.place() + ".tcp-no-delay",
                Boolean.toString(seen.wanted().noDelay()),
                Boolean.toString(seen.found().noDelay()),
                "The kernel did not take TCP_NODELAY."));
        String wanted = seen.wanted().congestionControl();
        if (!wanted.isEmpty()) {
            items.add(ContextItem.compare(
                    seen.place() + ".congestion-control",
                    wanted,
                    seen.found().congestionControl(),
                    "Load it (modprobe tcp_" + wanted
                            + ") or permit it (sysctl net.ipv4.tcp_allowed_congestion_control)."));
        }
    }

    private static void jvm(List<ContextItem> items) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        boolean interpreted = runtime.getInputArguments().contains("-Xint");
        items.add(ContextItem.compare(
                "jvm.compiled", "true", Boolean.toString(!interpreted), "Take -Xint out of the flags of the JVM."));
        boolean debugged = runtime.getInputArguments().stream().anyMatch(a -> a.startsWith("-agentlib:jdwp"));
        items.add(ContextItem.compare(
                "jvm.debug-agent",
                "false",
                Boolean.toString(debugged),
                "Take the debug agent out of the flags of the JVM."));
        items.add(ContextItem.fact("jvm.version", Runtime.version().toString()));
        items.add(ContextItem.fact(
                "jvm.gc",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(gc -> gc.getName())
                        .collect(Collectors.joining(", "))));
        items.add(ContextItem.fact(
                "jvm.processors", Integer.toString(Runtime.getRuntime().availableProcessors())));
        items.add(ContextItem.fact(
                "jvm.max-heap-bytes", Long.toString(Runtime.getRuntime().maxMemory())));
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        boolean cheap = level == ResourceLeakDetector.Level.SIMPLE || level == ResourceLeakDetector.Level.DISABLED;
        items.add(new ContextItem(
                "netty.leak-detection",
                "simple or disabled",
                level.name().toLowerCase(java.util.Locale.ROOT),
                cheap ? "ok" : "drift",
                cheap ? "" : "Set -Dio.netty.leakDetection.level=simple."));
    }

    private static String kernel(String file) {
        try {
            return Files.readString(KERNEL.resolve(file)).trim();
        } catch (IOException e) {
            return "";
        }
    }
}
