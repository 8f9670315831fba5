package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.setting.ConfinedDestinations.Form;
import dev.postern.core.testing.DestinationSpellings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests spellings of destinations with a whole gateway in a network namespace that has no way out, and in which each address is on this
 * machine: a forbidden connection would not fail, so that the kernel and a service would count it. DestinationSpellingsTest has the same
 * spellings without sockets.
 */
class ConfinedDestinationsIT {

    /** Sends everything to the loopback interface, which gets two addresses of a machine. */
    private static final String NETWORK = "ip link set lo up && ip address add 10.9.9.9/32 dev lo"
            + " && ip address add fd09::9/128 dev lo nodad && ip route add local 0.0.0.0/0 dev lo"
            + " && ip -6 route add local ::/0 dev lo && exec \"$@\"";

    private static final List<Row> ROWS = new ArrayList<>();
    private static final List<String> SERVICES = new ArrayList<>();

    /** Line of the program. */
    private record Row(String group, Form form, String spelling, String outcome, int connections) {}

    @BeforeAll
    static void run(@TempDir Path folder) throws Exception {
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
                ConfinedDestinations.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean ended = process.waitFor(10, TimeUnit.MINUTES);
        process.destroyForcibly();
        String output = Files.readString(out);
        assertThat(ended).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        for (String line : output.lines().toList()) {
            String[] words = line.split("\t");
            if (words[0].equals("services")) {
                SERVICES.add(line);
            } else if (words.length == 5) {
                ROWS.add(new Row(words[0], Form.valueOf(words[1]), words[2], words[3], Integer.parseInt(words[4])));
            }
        }
    }

    private static List<Row> rows(String group) {
        return ROWS.stream().filter(row -> row.group().equals(group)).toList();
    }

    private static void assertRefused(List<Row> rows) {
        assertThat(rows)
                .filteredOn(row -> !row.outcome().matches("4\\d\\d|502") || row.connections() != 0)
                .isEmpty();
    }

    private static void assertReached(List<Row> rows) {
        assertThat(rows).filteredOn(row -> !row.outcome().equals("through")).isEmpty();
    }

    @Test
    void forbiddenDestinationsAreNotConnected() {
        assertThat(rows("refused"))
                .hasSize(2 * DestinationSpellings.REFUSED.size() + 2 * DestinationSpellings.REFUSED_UDP.size());
        assertRefused(rows("refused"));
        assertThat(SERVICES).containsExactly("services\trefused\t0\t0");
    }

    @Test
    void allowedDestinationsAreReached() {
        assertThat(rows("allowed"))
                .hasSize(2 * DestinationSpellings.ALLOWED.size() + 2 * DestinationSpellings.ALLOWED_UDP.size());
        assertReached(rows("allowed"));
    }

    /** The policy permits all addresses here, and other ports of this machine are reached. */
    @Test
    void theGatewayIsNotConnectedThroughItself() {
        assertThat(rows("own")).hasSize(4 * 4 * ConfinedDestinations.OWN.size());
        assertRefused(rows("own"));
        assertThat(rows("others")).hasSize(8);
        assertReached(rows("others"));
    }
}
