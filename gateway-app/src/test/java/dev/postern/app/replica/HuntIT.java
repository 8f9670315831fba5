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
 * What hid behind green dashboards in the systems that this one descends from, each spoilt in a process of its own: the gateway itself must
 * name it, with what was found, what is wanted and the remedy. {@code -Dhealthy.seconds=300} lets the healthy one run for longer than usual.
 */
@Tag("faults")
@Tag("long")
class HuntIT {

    private static final int SECONDS = Integer.getInteger("healthy.seconds", 10);

    @TempDir
    private Path folder;

    private HuntGround ground;

    @BeforeEach
    void start() {
        ground = new HuntGround(folder);
    }

    @AfterEach
    void stop() {
        ground.close();
    }

    private Hunted hunted(String yaml, GatewayProcess.Launch launch) throws Exception {
        return new Hunted(folder, yaml, launch);
    }

    private Hunted hunted(String yaml) throws Exception {
        return hunted(yaml, GatewayProcess.Launch.flags(Hunted.HEALTHY));
    }

    @Test
    @Tag("alone")
    void aHealthyOneNamesNothing() throws Exception {
        try (Hunted gateway = hunted(ground.yaml())) {
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
    void upstreamConnectionsThatAreNotUsedAgain() throws Exception {
        String spoilt = ground.yaml().replace("{name: app, ", "{name: app, pool: {keep-alive: false}, ");
        try (Hunted gateway = hunted(spoilt)) {
            gateway.names(() -> gateway.visit(30), "upstream app.keep-alive", "true", "false", "keep-alive: true");
            gateway.names(
                    () -> gateway.visit(30),
                    "upstream app.new-connections-per-request",
                    "less than 0.2",
                    "1\\.00",
                    "pool.keep-alive: false");
        }
    }

    @Test
    void anUpstreamThatClosesAfterEachResponse() throws Exception {
        ground.origin()
                .behave(TestOrigin.Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        try (Hunted gateway = hunted(ground.yaml())) {
            gateway.names(
                    () -> gateway.visit(30),
                    "upstream app.new-connections-per-request",
                    "less than 0.2",
                    "1\\.00",
                    "a server that closes after each response");
        }
    }

    @Test
    @Tag("alone")
    void aJvmThatCompilesNothing() throws Exception {
        try (Hunted gateway = hunted(ground.yaml(), GatewayProcess.Launch.flags("-Xint"))) {
            gateway.names(() -> gateway.visit(1), "jvm.compiler", "C1 and C2", "none", "-Xint");
        }
    }

    @Test
    void flagsOfTheJvmThatWereForgotten() throws Exception {
        GatewayProcess.Launch launch = GatewayProcess.Launch.flags(
                "-XX:TieredStopAtLevel=1",
                "-Dio.netty.leakDetection.level=PARANOID",
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0",
                "-ea",
                "-XX:+UseSerialGC",
                "-Xcheck:jni");
        try (Hunted gateway = hunted(ground.yaml(), launch)) {
            Runnable load = () -> gateway.visit(1);
            gateway.names(load, "jvm.compiler", "C1 and C2", "C1", "-XX:TieredStopAtLevel=1");
            gateway.names(
                    load,
                    "netty.leak-detection",
                    "simple or disabled",
                    "paranoid",
                    "-Dio.netty.leakDetection.level=simple");
            gateway.names(load, "jvm.debug-agent", "none", "jdwp", "-agentlib");
            gateway.names(load, "jvm.debug-flags", "none", "-Xcheck:jni", "flags of the JVM");
            gateway.names(load, "jvm.assertions", "false", "true", "-ea");
            gateway.names(load, "jvm.gc", "no serial collector", "Copy, MarkSweepCompact", "-XX:+UseG1GC");
        }
    }

    @Test
    void settingsThatWereForgotten() throws Exception {
        String spoilt = ground.yaml().replace("{name: app, ", "{name: app, congestion-control: nonesuch, ")
                + "transport: {tcp-no-delay: false, congestion-control: reno}\n";
        try (Hunted gateway = hunted(spoilt.replace("successes: 0%", "successes: 0%, level: debug"))) {
            Runnable load = () -> gateway.visit(1);
            gateway.names(load, "transport.tcp-no-delay", "true", "false", "transport.tcp-no-delay: true");
            gateway.names(load, "listener web.tcp-no-delay", "true", "false", "transport.tcp-no-delay: true");
            gateway.names(load, "transport.congestion-control", "bbr", "reno", "transport.congestion-control: bbr");
            gateway.names(load, "upstream app.congestion-control", "nonesuch", "[a-z]+", "Not loaded");
            gateway.names(load, "log.level", "info or less", "debug", "log.level: info");
        }
    }

    @Test
    void aTransportThatIsNotNative() throws Exception {
        try (Hunted gateway = hunted(ground.yaml() + "transport: {kind: nio}\n")) {
            gateway.names(() -> gateway.visit(1), "transport", "epoll or io_uring", "nio", "transport.kind: auto");
        }
    }

    @Test
    void aCongestionControlThatTheProcessMayNotUse() throws Exception {
        String allowed = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control"));
        String forbidden = List.of(Files.readString(Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control"))
                        .strip()
                        .split(" "))
                .stream()
                .filter(one -> !List.of(allowed.strip().split(" ")).contains(one))
                .findFirst()
                .orElseThrow();
        // Root without that capability is who most containers run as.
        GatewayProcess.Launch launch = new GatewayProcess.Launch(
                List.of("setpriv", "--bounding-set=-net_admin", "--inh-caps=-all"), List.of(Hunted.HEALTHY), Map.of());
        try (Hunted gateway = hunted(ground.yaml() + "transport: {congestion-control: " + forbidden + "}\n", launch)) {
            for (String item : new String[] {"transport.congestion-control", "listener web.congestion-control"}) {
                gateway.names(
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
    void nagleAndThreeWritesACommand(String client) throws Exception {
        try (Hunted gateway = hunted(ground.yaml(client, ground.memcached().address()), ground.nagle())) {
            String place = "ledger " + ground.memcached().address();
            gateway.names(() -> gateway.pay(1), place + ".tcp-no-delay", "true", "false", "TCP_NODELAY");
            if (client.equals("netty")) {
                gateway.names(
                        () -> gateway.pay(20),
                        place + ".segments-per-command",
                        "at most 1",
                        "[12]\\.\\d\\d|3.00",
                        "one write");
            }
            gateway.names(
                    () -> gateway.pay(21),
                    "ledger.latency-ms",
                    "half within 5",
                    "(3[89]|4\\d)\\.\\d",
                    "40 ms signature");
        }
    }

    @Test
    void aLedgerThatIsFarAway() throws Exception {
        try (Distance far = new Distance(ground.memcached().port(), Duration.ofMillis(45));
                Hunted gateway = hunted(ground.yaml("netty", far.address()))) {
            gateway.names(
                    () -> gateway.pay(21),
                    "ledger.latency-ms",
                    "half within 5",
                    "[45]\\d\\.\\d",
                    "unless the server is that far");
        }
    }
}
