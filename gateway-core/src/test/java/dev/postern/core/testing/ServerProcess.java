package dev.postern.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Real server on its own loopback port, which can be killed, frozen, thawed, and restarted empty on the same port. It runs in a new folder,
 * so that no file which it writes remains or is read by another server.
 */
public final class ServerProcess implements AutoCloseable {

    private static final long RETRY_NANOS = 2_000_000;
    private static final int PATIENCE_SECONDS = 60;
    private static final int LOWEST_PORT = 10_000;
    private static final int LOWEST_CLIENT_PORT = 32_768;

    private final Path program;
    private final List<String> arguments;
    private final String host;
    private final int port;
    private @Nullable Process process;
    private @Nullable Path folder;

    /**
     * @param program searched on PATH and in the usual system folders
     * @param arguments {@code {port}} in them becomes the port
     */
    public ServerProcess(String program, int port, String... arguments) {
        this("127.0.0.1", program, port, arguments);
    }

    /** @param host loopback address at which the server listens */
    public ServerProcess(String host, String program, int port, String... arguments) {
        this.host = host;
        this.program = find(program);
        this.port = port;
        this.arguments = Arrays.stream(arguments)
                .map(a -> a.replace("{port}", Integer.toString(port)))
                .toList();
    }

    /** Creates a memcached that never evicts, as the gateway requires; not started. */
    public static ServerProcess memcached(int mebibytes) {
        return memcached("127.0.0.1", freePort(), mebibytes);
    }

    /** Creates such a memcached at a loopback address; not started. */
    public static ServerProcess memcached(String host, int port, int mebibytes) {
        String most = Integer.toString(mebibytes);
        return new ServerProcess(
                host, "memcached", port, "-l", host, "-p", "{port}", "-U", "0", "-M", "-m", most, "-u", "nobody");
    }

    /** Creates a nutcracker that listens on the port of its configuration; not started. */
    public static ServerProcess nutcracker(int port, Path configuration) {
        String stats = Integer.toString(freePort());
        return new ServerProcess("nutcracker", port, "-c", configuration.toString(), "-a", "127.0.0.1", "-s", stats);
    }

    /**
     * Returns a loopback port without a listener, which no other call returns while this JVM runs, in this or another test JVM. It is below
     * the ephemeral ports, else a client connection could take it before the server does.
     */
    public static int freePort() {
        for (int i = 0; i < 1_000; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, LOWEST_CLIENT_PORT);
            if (ReservedPorts.reserve(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    public String address() {
        return host + ":" + port;
    }

    public long pid() {
        return running().pid();
    }

    /** Starts the server and returns once it accepts connections. */
    public void start() {
        List<String> command =
                Stream.concat(Stream.of(program.toString()), arguments.stream()).toList();
        try {
            Path own = Files.createTempDirectory("server");
            folder = own;
            process = new ProcessBuilder(command)
                    .directory(own.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + command, e);
        }
        awaitPort();
    }

    public boolean started() {
        return process != null;
    }

    /** Kills the server with SIGKILL; its memory is lost. */
    public void kill() {
        Process running = running();
        running.destroyForcibly();
        try {
            running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process = null;
        deleteFolder();
    }

    private void deleteFolder() {
        Path own = folder;
        folder = null;
        if (own == null) {
            return;
        }
        // Again if a process that the server had started writes there meanwhile.
        Awaitility.await().ignoreExceptions().until(() -> {
            try (Stream<Path> files = Files.walk(own)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
            return true;
        });
    }

    /** Kills the server and restarts it with empty memory. */
    public void restartEmpty() {
        kill();
        start();
    }

    /**
     * Freezes the server with SIGSTOP: connections stay open without responses. Returns once all threads have stopped, since the signal is
     * asynchronous.
     */
    public void freeze() {
        signal("STOP");
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(this::standsStill);
    }

    private boolean standsStill() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            return threads.allMatch(ServerProcess::stopped);
        }
    }

    private static boolean stopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.startsWith(") T", stat.lastIndexOf(')'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Thaws the server with SIGCONT. */
    public void thaw() {
        signal("CONT");
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + name + ": exit " + exit);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("kill -" + name, e);
        }
    }

    private Process running() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException(program + " is not running");
        }
        return running;
    }

    private void awaitPort() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < end) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), 1_000);
                return;
            } catch (IOException e) {
                if (!running().isAlive()) {
                    throw new IllegalStateException(
                            program + " ended with " + running().exitValue());
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
        throw new IllegalStateException(
                program + " does not listen on port " + port + " after " + PATIENCE_SECONDS + " s");
    }

    /**
     * @param program a path, or a name that is searched on PATH and in the usual system folders
     * @throws IllegalStateException saying how to install it
     */
    public static Path find(String program) {
        if (program.indexOf('/') >= 0) {
            return Path.of(program).toAbsolutePath();
        }
        String path = System.getenv().getOrDefault("PATH", "") + ":/usr/bin:/usr/sbin:/usr/local/bin";
        for (String folder : path.split(":", -1)) {
            Path candidate = Path.of(folder, program);
            if (!folder.isEmpty() && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new IllegalStateException(
                program
                        + " is not on PATH (expected: installed from the system's packages; scripts/verify does it when run as root)");
    }
}
