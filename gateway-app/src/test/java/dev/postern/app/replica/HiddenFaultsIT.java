package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.TestOrigin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the gateway itself reports faults that dashboards did not show in earlier systems, with found value, wanted value and remedy;
 * each fault is injected in a separate process. {@code -Dhealthy.seconds=300} lets the healthy one run longer.
 */
@Tag("faults")
@Tag("long")
class HiddenFaultsIT {

    private static final int SECONDS = Integer.getInteger("healthy.seconds", 10);

    @TempDir
    private Path folder;

    private ObservedEnvironment environment;

    @BeforeEach
    void start() {
        environment = new ObservedEnvironment(folder);
    }

    @AfterEach
    void stop() {
        environment.close();
    }

    private ObservedGateway observe(String yaml, GatewayProcess.Launch launch) throws Exception {
        return new ObservedGateway(folder, yaml, launch);
    }

    private ObservedGateway observe(String yaml) throws Exception {
        return observe(yaml, GatewayProcess.Launch.flags(ObservedGateway.HEALTHY));
    }

    @Test
    @Tag("alone")
    void reportsNothingOfAHealthyGateway() throws Exception {
        try (ObservedGateway gateway = observe(environment.yaml())) {
            long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
            while (System.nanoTime() - end < 0) {
                gateway.visit(50);
                gateway.pay(2);
                assertThat(gateway.drifts()).isEmpty();
            }
            assertThat(gateway.gateway().log()).doesNotContain("context: ");
        }
    }

    @Test
    void upstreamConnectionsThatAreNotReused() throws Exception {
        String spoilt = environment.yaml().replace("{name: app, ", "{name: app, pool: {keep-alive: false}, ");
        try (ObservedGateway gateway = observe(spoilt)) {
            gateway.awaitReport(
                    () -> gateway.visit(30), "upstream app.keep-alive", "true", "false", "keep-alive: true");
            gateway.awaitReport(
                    () -> gateway.visit(30),
                    "upstream app.new-connections-per-request",
                    "less than 0.2",
                    "1\\.00",
                    "pool.keep-alive: false");
        }
    }

    @Test
    void anUpstreamThatClosesAfterEachResponse() throws Exception {
        environment
                .origin()
                .behave(TestOrigin.Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        try (ObservedGateway gateway = observe(environment.yaml())) {
            gateway.awaitReport(
                    () -> gateway.visit(30),
                    "upstream app.new-connections-per-request",
                    "less than 0.2",
                    "1\\.00",
                    "a server that closes after each response");
        }
    }

    @Test
    @Tag("alone")
    void aJvmWithoutCompilers() throws Exception {
        try (ObservedGateway gateway = observe(environment.yaml(), GatewayProcess.Launch.flags("-Xint"))) {
            gateway.awaitReport(() -> gateway.visit(1), "jvm.compiler", "C1 and C2", "none", "-Xint");
        }
    }

    @Test
    void diagnosticFlagsOfTheJvm() throws Exception {
        GatewayProcess.Launch launch = GatewayProcess.Launch.flags(
                "-XX:TieredStopAtLevel=1",
                "-Dio.netty.leakDetection.level=PARANOID",
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0",
                "-ea",
                "-XX:+UseSerialGC",
                "-Xcheck:jni");
        try (ObservedGateway gateway = observe(environment.yaml(), launch)) {
            Runnable load = () -> gateway.visit(1);
            gateway.awaitReport(load, "jvm.compiler", "C1 and C2", "C1", "-XX:TieredStopAtLevel=1");
            gateway.awaitReport(
                    load,
                    "netty.leak-detection",
                    "simple or disabled",
                    "paranoid",
                    "-Dio.netty.leakDetection.level=simple");
            gateway.awaitReport(load, "jvm.debug-agent", "none", "jdwp", "-agentlib");
            gateway.awaitReport(load, "jvm.debug-flags", "none", "-Xcheck:jni", "flags of the JVM");
            gateway.awaitReport(load, "jvm.assertions", "false", "true", "-ea");
            gateway.awaitReport(load, "jvm.gc", "no serial collector", "Copy, MarkSweepCompact", "-XX:+UseG1GC");
        }
    }

    @Test
    void diagnosticSettings() throws Exception {
        String spoilt = environment.yaml().replace("{name: app, ", "{name: app, congestion-control: nonesuch, ")
                + "transport: {tcp-no-delay: false, congestion-control: reno}\n";
        try (ObservedGateway gateway = observe(spoilt.replace("successes: 0%", "successes: 0%, level: debug"))) {
            Runnable load = () -> gateway.visit(1);
            gateway.awaitReport(load, "transport.tcp-no-delay", "true", "false", "transport.tcp-no-delay: true");
            gateway.awaitReport(load, "listener web.tcp-no-delay", "true", "false", "transport.tcp-no-delay: true");
            gateway.awaitReport(
                    load, "transport.congestion-control", "bbr", "reno", "transport.congestion-control: bbr");
            gateway.awaitReport(load, "upstream app.congestion-control", "nonesuch", "[a-z]+", "Not loaded");
            gateway.awaitReport(load, "log.level", "info or less", "debug", "log.level: info");
        }
    }

    @Test
    void aTransportThatIsNotNative() throws Exception {
        try (ObservedGateway gateway = observe(environment.yaml() + "transport: {kind: nio}\n")) {
            gateway.awaitReport(
                    () -> gateway.visit(1), "transport", "epoll or io_uring", "nio", "transport.kind: auto");
        }
    }

    @Test
    void aCongestionControlThatIsNotPermitted() throws Exception {
        String allowed = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control"));
        String forbidden = List.of(Files.readString(Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control"))
                        .strip()
                        .split(" "))
                .stream()
                .filter(one -> !List.of(allowed.strip().split(" ")).contains(one))
                .findFirst()
                .orElseThrow();
        // Most containers run as root without that capability.
        GatewayProcess.Launch launch = new GatewayProcess.Launch(
                List.of("setpriv", "--bounding-set=-net_admin", "--inh-caps=-all"),
                List.of(ObservedGateway.HEALTHY),
                Map.of());
        try (ObservedGateway gateway =
                observe(environment.yaml() + "transport: {congestion-control: " + forbidden + "}\n", launch)) {
            for (String item : new String[] {"transport.congestion-control", "listener web.congestion-control"}) {
                gateway.awaitReport(
                        () -> gateway.visit(1),
                        item,
                        forbidden,
                        "[a-z]+",
                        "sysctl -w net.ipv4.tcp_allowed_congestion_control");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"netty", "spymemcached"})
    @Tag("alone")
    void nagleAndThreeWritesPerCommand(String client) throws Exception {
        try (ObservedGateway gateway =
                observe(environment.yaml(client, environment.memcached().address()), environment.nagle())) {
            String item = "ledger " + environment.memcached().address();
            gateway.awaitReport(() -> gateway.pay(1), item + ".tcp-no-delay", "true", "false", "TCP_NODELAY");
            if (client.equals("netty")) {
                gateway.awaitReport(
                        () -> gateway.pay(20),
                        item + ".segments-per-command",
                        "at most 1",
                        "[12]\\.\\d\\d|3.00",
                        "one write");
            }
            gateway.awaitReport(
                    () -> gateway.pay(21),
                    "ledger.latency-ms",
                    "half within 5",
                    "(3[89]|4\\d)\\.\\d",
                    "40 ms signature");
        }
    }

    @Test
    void aDistantLedger() throws Exception {
        try (DelayingProxy far = new DelayingProxy(environment.memcached().port(), Duration.ofMillis(45));
                ObservedGateway gateway = observe(environment.yaml("netty", far.address()))) {
            gateway.awaitReport(
                    () -> gateway.pay(21),
                    "ledger.latency-ms",
                    "half within 5",
                    "[45]\\d\\.\\d",
                    "unless the server is that far");
        }
    }
}
