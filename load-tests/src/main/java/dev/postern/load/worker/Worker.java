package dev.postern.load.worker;

import dev.postern.load.measure.ThreadTimes;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Worker: a small JVM that sends a line in response to each line of its input, pinned to a core and kept warm between
 * turns.
 *
 * <p>The process ends with its standard input, so also when the run that started it is killed.
 */
public final class Worker implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Writer questions;
    private final BufferedReader responses;

    private Worker(String name, Process process) {
        this.name = name;
        this.process = process;
        this.questions = process.outputWriter(StandardCharsets.UTF_8);
        this.responses = process.inputReader(StandardCharsets.UTF_8);
    }

    public static Worker start(RunFolder folder, Cores cores, Class<?> main, String... arguments) {
        return start(folder, cores, "256m", main, arguments);
    }

    /**
     * Starts a worker.
     *
     * @param heap maximum, in the form of the JVM's option
     */
    public static Worker start(RunFolder folder, Cores cores, String heap, Class<?> main, String... arguments) {
        String name = main.getSimpleName();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new Worker(
                    name,
                    new ProcessBuilder(cores.pin(command))
                            .redirectError(
                                    Redirect.appendTo(folder.file(name + ".out").toFile()))
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Sends the question and waits for the response. */
    public String ask(String question) {
        try {
            questions.write(question + "\n");
            questions.flush();
            String response = responses.readLine();
            if (response == null) {
                throw new IllegalStateException(
                        name + ": ended before the response to: " + question + "; see its .out file");
            }
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": does not respond: " + question, e);
        }
    }

    /**
     * Sends the question and returns microseconds of CPU time for each operation of the response's cost, without the
     * time of the JIT compilers.
     */
    public double cpuMicros(String question, Function<String, Cost> cost) {
        ThreadTimes timesBefore = ThreadTimes.of(pid());
        String response = ask(question);
        return cost.apply(response).cpuMicros()
                * ThreadTimes.of(pid()).minus(timesBefore).workShare();
    }

    /** Responds to every line of standard input until it ends; called in the worker's process. */
    static void serve(UnaryOperator<String> response) throws IOException {
        BufferedReader questions = new BufferedReader(new java.io.InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            System.out.println(response.apply(question));
        }
    }

    @Override
    public void close() {
        try {
            questions.close();
            responses.close();
        } catch (IOException e) {
            // The process has ended already, which is the purpose of closing.
            process.destroy();
        }
        process.destroy();
    }
}
