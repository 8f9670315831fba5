package dev.postern.app.context;

import dev.postern.auth.verify.CryptoProvider;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.core.tls.TlsEngine;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Context of the process: the JVM, its libraries, its container and its kernel. All methods read the values in force. */
public final class ProcessContext {

    /** Parent of all loggers of the gateway. */
    private static final Logger LOG = LogManager.getLogger("dev.postern");

    private static final double FULL = 0.95;

    /** Flags for JVM checks with a cost for each call or each object. */
    private static final Pattern DEBUG_FLAG =
            Pattern.compile("-Xcheck:jni|-Xdebug|-Xcomp|-XX:[+](Verify.*|ZVerify.*|CheckUnhandledOops|PrintCompilation)"
                    + "|-XX:[+]ShowHiddenFrames");

    /** Flags that can switch off a compiler. */
    private static final Pattern COMPILER_FLAG =
            Pattern.compile("-Xint|-client|.*(TieredStopAtLevel|CompilationMode|UseCompiler).*");

    /** Agent libraries in the memory of the process, by their common name. */
    private static final Pattern AGENT = Pattern.compile("lib(jdwp|hprof|yjpagent|jprofilerti)\\.so");

    private ProcessContext() {}

    /**
     * Maximum needs of the configuration.
     *
     * @param connections of clients and upstreams together
     * @param clients of these, connections of clients
     * @param granted connections of clients that can be open at once
     * @param towardsOne connections to one upstream, which may be one address
     */
    public record Needs(int connections, int clients, int granted, int towardsOne) {}

    /** Reads compilers, agents, debug flags and garbage collector. Agents are found however they were loaded. */
    static List<ContextItem> jvm(JvmFacts jvm, ProcFiles proc) {
        String guilty = flags(jvm, COMPILER_FLAG);
        String agents = String.join(
                " ",
                AGENT.matcher(proc.text("self/maps"))
                        .results()
                        .map(match -> match.group(1))
                        .distinct()
                        .toList());
        String collectors = String.join(", ", jvm.collectors());
        return List.of(
                ContextItem.setting(
                        "jvm.compiler",
                        "C1 and C2",
                        jvm.compilers(),
                        "Remove from the flags of the JVM: "
                                + (guilty.isEmpty() ? "-Xint or -XX:TieredStopAtLevel" : guilty) + "."),
                ContextItem.judged(
                        "jvm.code-cache",
                        "less than 95 % full",
                        jvm.codeCache() >= FULL ? "full" : "not full",
                        jvm.codeCache() < FULL,
                        "-XX:ReservedCodeCacheSize=512m: a full code cache stops compilation."),
                none("jvm.debug-flags", flags(jvm, DEBUG_FLAG), "Remove them from the flags of the JVM."),
                none("jvm.debug-agent", agents, "Remove -agentlib: and -agentpath: from the flags of the JVM."),
                ContextItem.setting(
                        "jvm.assertions",
                        "false",
                        Boolean.toString(jvm.assertions()),
                        "Remove -ea from the flags of the JVM."),
                ContextItem.judged(
                        "jvm.gc",
                        "no serial collector",
                        collectors,
                        !collectors.contains("MarkSweepCompact"),
                        "-XX:+UseG1GC: a serial collector stops every event loop during each collection."),
                ContextItem.fact("jvm.version", Runtime.version().toString()),
                ContextItem.fact("jvm.max-heap-bytes", Long.toString(jvm.maxHeap())),
                ContextItem.fact("jvm.max-direct-bytes", Long.toString(jvm.maxDirect())));
    }

    private static ContextItem none(String item, String found, String advice) {
        return ContextItem.setting(item, "none", found.isEmpty() ? "none" : found, advice);
    }

    private static String flags(JvmFacts jvm, Pattern kind) {
        return String.join(
                " ",
                jvm.flags().stream()
                        .filter(flag -> kind.matcher(flag).matches())
                        .toList());
    }

    /**
     * Compares the limits of the container with the resources that the JVM assumes. The kernel throttles or kills a process beyond the
     * limits.
     */
    static List<ContextItem> container(CgroupLimits limits, JvmFacts jvm) {
        String processors = Integer.toString(jvm.processors());
        String bytes = Long.toString(jvm.maxHeap() + jvm.maxDirect());
        // The JVM rounds up and assumes at least one processor.
        long wanted = Math.max(1, (long) Math.ceil(limits.processors()));
        long memory = limits.memory();
        return List.of(
                wanted == Long.MAX_VALUE
                        ? ContextItem.fact("container.processors", processors)
                        : ContextItem.judged(
                                "container.processors",
                                "at most " + wanted,
                                processors,
                                jvm.processors() <= wanted,
                                "Take -XX:ActiveProcessorCount or -XX:-UseContainerSupport out of the flags of the JVM, or give"
                                        + " the container " + processors
                                        + " processors: the kernel suspends threads beyond the limit for tenths of a second."),
                memory == Long.MAX_VALUE
                        ? ContextItem.fact("container.memory-bytes", bytes)
                        : ContextItem.judged(
                                "container.memory-bytes",
                                "less than " + memory,
                                bytes,
                                jvm.maxHeap() + jvm.maxDirect() < memory,
                                "-XX:MaxRAMPercentage=45: heap and direct memory may come to more than the container has, and then"
                                        + " the kernel kills it."));
    }

    /** Reads the limits of the kernel for open files, ports towards upstreams, and connections in the accept queue. */
    static List<ContextItem> kernel(ProcFiles proc, Needs needs) {
        String files = proc.text("self/limits")
                .lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> ProcFiles.BLANKS.split(line)[3])
                .findFirst()
                .orElse("");
        List<String> ports = proc.words("sys/net/ipv4/ip_local_port_range");
        return List.of(
                // Each connection is an open file.
                ContextItem.judged(
                        "process.open-files",
                        "at least " + needs.connections,
                        files,
                        files.equals("unlimited") || !files.isEmpty() && Long.parseLong(files) >= needs.connections,
                        "ulimit -n (LimitNOFILE= of systemd), or less in limits.connections and pool.max-connections."),
                ContextItem.setting(
                        "limits.connections",
                        Integer.toString(needs.clients),
                        Integer.toString(needs.granted),
                        "ulimit -n (LimitNOFILE= of systemd): descriptors for files, stores, probes and upstreams are reserved."),
                ContextItem.judged(
                        "kernel.port-range",
                        needs.towardsOne + " ports or more",
                        String.join("-", ports),
                        ports.size() == 2
                                && Integer.parseInt(ports.get(1)) - Integer.parseInt(ports.get(0)) >= needs.towardsOne,
                        "sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"."),
                fact(proc, "kernel.somaxconn", "sys/net/core/somaxconn"),
                fact(proc, "kernel.congestion-control", "sys/net/ipv4/tcp_congestion_control"),
                fact(proc, "kernel.congestion-controls", "sys/net/ipv4/tcp_available_congestion_control"),
                fact(proc, "kernel.congestion-controls-allowed", "sys/net/ipv4/tcp_allowed_congestion_control"));
    }

    private static ContextItem fact(ProcFiles proc, String item, String file) {
        return ContextItem.fact(item, proc.text(file));
    }

    /**
     * Reads the libraries that have alternatives of different speed: cryptography, TLS, buffers, log.
     *
     * @param allocator of buffers, by name
     * @param engine of TLS
     * @param tlsInUse whether any listener or upstream uses TLS now
     */
    static List<ContextItem> libraries(CryptoProvider crypto, String allocator, TlsEngine engine, boolean tlsInUse) {
        ResourceLeakDetector.Level leaks = ResourceLeakDetector.getLevel();
        Level log = LOG.getLevel();
        return List.of(
                ContextItem.setting(
                        "crypto.provider",
                        SignatureProvider.NATIVE,
                        crypto.name(),
                        "Run on Linux with glibc, x86_64 or aarch64, where the native library loads: " + crypto.why()
                                + "."),
                ContextItem.measure("crypto.verifications-per-second", Long.toString(Math.round(crypto.perSecond()))),
                tlsInUse
                        ? ContextItem.judged(
                                "tls.engine",
                                "BoringSSL",
                                engine.name(),
                                engine.isNative(),
                                "transport.tls-engine: auto, on Linux with x86_64 or aarch64, where the native library"
                                        + " loads: " + engine.why() + ".")
                        : ContextItem.fact("tls.engine", "not in use"),
                ContextItem.fact("netty.allocator", allocator),
                ContextItem.judged(
                        "netty.leak-detection",
                        "simple or disabled",
                        leaks.name().toLowerCase(Locale.ROOT),
                        leaks.compareTo(ResourceLeakDetector.Level.SIMPLE) <= 0,
                        "-Dio.netty.leakDetection.level=simple."),
                ContextItem.judged(
                        "log.level",
                        "info or less",
                        log.name().toLowerCase(Locale.ROOT),
                        !log.isLessSpecificThan(Level.DEBUG),
                        "log.level: info."));
    }
}
