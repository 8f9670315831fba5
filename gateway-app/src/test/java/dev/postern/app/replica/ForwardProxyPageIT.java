package dev.postern.app.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    private final Map<String, String> ports = Map.of(
            "9300", Integer.toString(ServerProcess.freePort()),
            "3128", Integer.toString(ServerProcess.freePort()),
            "9180", Integer.toString(ServerProcess.freePort()),
            "7007", Integer.toString(ServerProcess.freePort()));

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

        start(commands.get(0) + " --address 127.0.0.1:" + ports.get("9300"));
        awaitTcp("9300");
        start(commands.get(1));
        awaitTcp("3128");
        assertThat(run(commands.get(2))).contains("token-keys", "* 407, challenge of issuer", "* tunnel: 200");
        start(commands.get(3));
        awaitUdp("7007");
        assertThat(run(commands.get(4)).lines()).contains("hello", "* tunnel: 101");
    }

    private String here(String text) {
        String changed = text;
        for (Map.Entry<String, String> port : ports.entrySet()) {
            changed = changed.replace(port.getKey(), port.getValue());
        }
        return changed;
    }

    private ProcessBuilder process(String command) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java") + " -XX:TieredStopAtLevel=1 -cp "
                + System.getProperty("java.class.path") + " dev.postern.app.cli.Main";
        String whole = here(command.replaceAll(" &(?= --|$)", ""))
                .replace(
                        "docs/forward-proxy.yaml",
                        folder.resolve("forward-proxy.yaml").toString())
                .replace("./postern", java);
        return new ProcessBuilder("bash", "-c", whole).redirectErrorStream(true);
    }

    private void start(String command) throws IOException {
        background.add(process(command).redirectOutput(log(background.size())).start());
    }

    private File log(int number) {
        return folder.resolve("background-" + number + ".log").toFile();
    }

    /** Returns what the processes in the background wrote, for the message of a failure. */
    private String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < background.size(); i++) {
            if (log(i).exists()) {
                all.append(Files.readString(log(i).toPath()));
            }
        }
        return all.toString();
    }

    private String run(String command) throws IOException, InterruptedException {
        Process process = process(command).start();
        background.add(process);
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(command).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s%n%s", command, output, logs())
                .isZero();
        return output;
    }

    private void awaitTcp(String port) {
        await().atMost(60, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", Integer.parseInt(ports.get(port))));
                return true;
            }
        });
    }

    /** Waits until a socket is bound to the port, without taking the port itself. */
    private void awaitUdp(String port) {
        String local = String.format(":%04X ", Integer.parseInt(ports.get(port)));
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> Files.readString(Path.of("/proc/net/udp")).contains(local));
    }
}
