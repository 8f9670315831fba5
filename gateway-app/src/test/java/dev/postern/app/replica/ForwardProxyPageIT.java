package dev.postern.app.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of {@code docs/forward-proxy.md}, each in a process, with free ports in place of those of the page. */
class ForwardProxyPageIT {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh\n(.*?)^```$");
    private static final Pattern PORTS = Pattern.compile("\\b(9300|3128|9180|7007)\\b");

    private final Map<String, Integer> ports = Map.of(
            "9300", ServerProcess.freePort(),
            "3128", ServerProcess.freePort(),
            "9180", ServerProcess.freePort(),
            "7007", ServerProcess.freePort());

    private final List<Process> background = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        for (Process process : background) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void everyCommandOfThePageWorks() throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("forward-proxy.yaml"), here(Files.readString(DOCS.resolve("forward-proxy.yaml"))));
        Matcher block = COMMANDS.matcher(Files.readString(DOCS.resolve("forward-proxy.md")));
        assertThat(block.find()).isTrue();
        List<String> commands = block.group(1).lines().toList();
        assertThat(commands).hasSize(5);

        start(
                commands.get(0) + " --address 127.0.0.1:9300",
                () -> Files.readAllLines(log(0)).stream() // after warnings of the JVM, such as those of Java 25
                        .anyMatch(line -> line.startsWith(here("issuer 127.0.0.1:9300, "))));
        start(commands.get(1), this::ready);
        assertThat(run(commands.get(2))).contains("token-keys", "* 407, challenge of issuer", "* tunnel: 200");
        start(commands.get(3), this::bound);
        assertThat(run(commands.get(4)).lines()).contains("hello", "* tunnel: 101");
    }

    private String here(String text) {
        return PORTS.matcher(text).replaceAll(page -> Integer.toString(port(page.group())));
    }

    /** Returns the port in place of that of the page. */
    private int port(String page) {
        return Objects.requireNonNull(ports.get(page), page);
    }

    private ProcessBuilder process(String command) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java") + " -XX:TieredStopAtLevel=1 -cp "
                + System.getProperty("java.class.path") + " dev.postern.app.cli.Main";
        String whole = here(command.replaceAll(" &(?= --|$)", ""))
                .replace(
                        "docs/forward-proxy.yaml",
                        folder.resolve("forward-proxy.yaml").toString())
                .replace("./postern", java);
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", whole).redirectErrorStream(true);
        // Other builds may share this machine; their load must not cause refusals.
        builder.environment().put("POSTERN_OVERLOAD_LOOP_LAG_SHED_ABOVE", "0");
        return builder;
    }

    /**
     * Starts a command in the background and waits until it serves. That its port accepts a connection would not tell: another program may
     * have taken the port, and a gateway listens before it is ready.
     */
    private void start(String command, Callable<Boolean> serves) throws IOException {
        Process process =
                process(command).redirectOutput(log(background.size()).toFile()).start();
        background.add(process);
        await().failFast(() -> assertThat(process.isAlive())
                        .as(() -> command + " runs: " + logs())
                        .isTrue())
                .until(serves);
    }

    private Path log(int number) {
        return folder.resolve("background-" + number + ".log");
    }

    /** Returns what the processes in the background wrote, for the message of a failure. */
    private String logs() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < background.size(); i++) {
            try {
                all.append(Files.exists(log(i)) ? Files.readString(log(i)) : "");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all.toString();
    }

    private String run(String command) throws IOException, InterruptedException {
        Process process = process(command).start();
        background.add(process);
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(command).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s%n%s", command, output, logs())
                .isZero();
        return output;
    }

    /** Returns whether the gateway says that it is ready. */
    private boolean ready() {
        try (RawClient client = new RawClient(port("9180"))) {
            return client.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                            .read()
                            .status()
                    == 200;
        } catch (IllegalStateException e) {
            return false; // it does not listen yet
        }
    }

    /** Returns whether a socket is bound to the port, without taking the port itself. */
    private boolean bound() throws IOException {
        String local = String.format(" 0100007F:%04X 00000000:0000 ", port("7007"));
        return Files.readString(Path.of("/proc/net/udp")).contains(local);
    }
}
