package dev.postern.core.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a Redis Cluster for a test class: three masters with the given number of replicas each. Register it as a static field. */
public final class RedisClusterExtension implements BeforeAllCallback, AfterAllCallback {

    private static final long RETRY_NANOS = 20_000_000;
    private static final int PATIENCE_SECONDS = 120;

    /** Ends of a connection as redis-cli reports them. */
    private static final Pattern CUT = Pattern.compile(
            "Error: (Server closed the connection|Connection reset by peer|Broken pipe).*", Pattern.DOTALL);

    private static final int MASTERS = 3;

    private final int replicas;
    private final List<ServerProcess> servers = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();

    /** @param replicas of each master */
    public RedisClusterExtension(int replicas) {
        this.replicas = replicas;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        for (int i = 0; i < MASTERS * (1 + replicas); i++) {
            Path folder = Files.createTempDirectory("redis-cluster");
            ServerProcess server = server(folder);
            folders.add(folder);
            servers.add(server);
            server.start();
        }
        List<String> create = new ArrayList<>(List.of("--cluster", "create"));
        servers.forEach(server -> create.add(server.address()));
        create.addAll(List.of("--cluster-replicas", Integer.toString(replicas), "--cluster-yes"));
        cli(create.toArray(String[]::new));
        for (ServerProcess server : servers) {
            await(server, "cluster info", "cluster_state:ok");
        }
        if (replicas > 0) {
            for (int i = 0; i < MASTERS; i++) {
                await(servers.get(i), "info replication", "state=online");
            }
        }
    }

    private static ServerProcess server(Path folder) {
        return new ServerProcess(
                RedisExtension.program(),
                ServerProcess.freePort(),
                "--bind",
                "127.0.0.1",
                "--port",
                "{port}",
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                Integer.toString(ServerProcess.freePort()),
                "--cluster-node-timeout",
                "1000",
                "--cluster-require-full-coverage",
                "no",
                "--repl-diskless-sync-delay",
                "0",
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "no");
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        servers.forEach(ServerProcess::close);
        for (Path folder : folders) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    /** Returns the servers, the initial masters first. */
    public List<ServerProcess> servers() {
        return List.copyOf(servers);
    }

    /** Returns {@code host:port} of the first master. */
    public String address() {
        return servers.get(0).address();
    }

    /**
     * Waits until the output of that command on that server contains the text. A command that fails is repeated: a
     * Sentinel that makes a server the master or a replica ends all its connections, the one of redis-cli too.
     */
    public static void await(ServerProcess server, String command, String text) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String[] words = Stream.concat(
                        Stream.of("-p", Integer.toString(server.port())), Arrays.stream(command.split(" ", -1)))
                .toArray(String[]::new);
        Output output = run(words);
        while (output.failed() || !output.text().contains(text)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(server.address() + ": no " + text + " in " + command + " after "
                        + PATIENCE_SECONDS + " s: " + output.text());
            }
            LockSupport.parkNanos(RETRY_NANOS); // each check starts a process
            output = run(words);
        }
    }

    /**
     * Runs {@code redis-cli} and returns its output. A command that fails is an {@link IllegalStateException}. One whose connection is cut,
     * as by a Sentinel or a fail-over, is repeated: it may run twice.
     */
    public static String cli(String... arguments) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Output output = run(arguments);
        while (output.failed() && CUT.matcher(output.text()).matches() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(RETRY_NANOS); // each attempt starts a process
            output = run(arguments);
        }
        if (output.failed()) {
            throw new IllegalStateException("redis-cli " + List.of(arguments) + ": " + output.text());
        }
        return output.text();
    }

    private static Output run(String... arguments) {
        List<String> command =
                Stream.concat(Stream.of("redis-cli"), Arrays.stream(arguments)).toList();
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Output(process.waitFor() != 0 || text.startsWith("ERR"), text);
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private record Output(boolean failed, String text) {}
}
