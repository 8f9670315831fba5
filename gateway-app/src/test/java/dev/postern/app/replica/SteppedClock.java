package dev.postern.app.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Wall clock of other processes, which a test sets while they run; their monotonic clocks go on. Needs {@code gcc}. */
final class SteppedClock {

    private static final String SOURCE = "stepped-clock.c";

    private final Path file;
    private final Path library;
    private final MappedByteBuffer ahead;

    /** @param folder for the library and the file that holds the offset */
    SteppedClock(Path folder) {
        file = folder.resolve("clock-ahead");
        library = folder.resolve("stepped-clock.so");
        try {
            compile(folder);
            Files.write(file, new byte[Long.BYTES]);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ahead = channel.map(MapMode.READ_WRITE, 0, Long.BYTES);
            }
            ahead.order(ByteOrder.nativeOrder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void compile(Path folder) throws IOException {
        Path source = folder.resolve(SOURCE);
        try (InputStream in = SteppedClock.class.getResourceAsStream(SOURCE)) {
            Files.write(source, Objects.requireNonNull(in, SOURCE).readAllBytes());
        }
        Process gcc = new ProcessBuilder(
                        ServerProcess.find("gcc").toString(),
                        "-shared",
                        "-fPIC",
                        "-O1",
                        "-o",
                        library.toString(),
                        source.toString())
                .redirectErrorStream(true)
                .start();
        String messages = new String(gcc.getInputStream().readAllBytes(), UTF_8);
        if (!Files.exists(library)) {
            throw new IllegalStateException("gcc: " + messages);
        }
    }

    /** Sets the clock to so many seconds after the real time. */
    void step(long seconds) {
        ahead.putLong(0, seconds);
    }

    /** Returns the environment of a process with this clock. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "STEPPED_CLOCK_FILE", file.toString());
    }

    /** Returns a Redis with this clock; not started. */
    ServerProcess redis() {
        Stream<String> environment =
                environment().entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue());
        List<String> command = List.of(
                ServerProcess.find(RedisExtension.program()).toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                "{port}",
                "--save",
                "",
                "--appendonly",
                "no");
        return new ServerProcess(
                "env",
                ServerProcess.freePort(),
                Stream.concat(environment, command.stream()).toArray(String[]::new));
    }
}
