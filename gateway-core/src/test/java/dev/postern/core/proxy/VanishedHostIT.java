package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the kernel tells of a host that vanished without FIN: with a whole gateway in a network namespace,
 * from which the address of the host is taken. No time-out of the gateway ends in the test.
 */
class VanishedHostIT {

    private static final String NETWORK = "ip link set lo up && ip address add 10.9.9.8/32 dev lo"
            + " && ip address add 10.9.9.9/32 dev lo && ip address add 10.9.9.7/32 dev lo && exec \"$@\"";

    /** Silence of an upstream, of a client, and a request that nothing acknowledges. */
    @Test
    void keepAliveFindsHostsThatVanished(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("output");
        List<String> command = List.of(
                "unshare",
                "--map-root-user",
                "--net",
                "sh",
                "-c",
                NETWORK,
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                VanishedHost.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean ended = process.waitFor(10, TimeUnit.MINUTES);
        process.destroyForcibly();
        String output = Files.readString(out);
        assertThat(ended).as(output).isTrue();
        assertThat(output.lines()).contains("upstream 502", "client 0", "kept 502");
    }
}
