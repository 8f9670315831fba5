package dev.postern.load.worker;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/**
 * Worker: a small JVM that sends a line of JSON in response to each line of its input, pinned to a core and kept warm
 * between turns.
 *
 * <p>The process ends with its standard input, so also when the run that started it is killed.
 */
public final class Worker implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

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

    public static Worker start(RunFolder folder, Cores cores, Class<?> main, Object... arguments) {
        return start(folder, cores, "256m", main, arguments);
    }

    /**
     * Starts a worker.
     *
     * @param heap maximum, in the form of the JVM's option
     */
    public static Worker start(RunFolder folder, Cores cores, String heap, Class<?> main, Object... arguments) {
        String name = main.getSimpleName();
        List<String> command = Command.java(List.of("-Xmx" + heap, "-XX:+UseSerialGC"), main.getName(), arguments);
        ProcessBuilder process = new ProcessBuilder(cores.pin(command))
                .redirectError(Redirect.appendTo(folder.file(name + ".out").toFile()));
        return folder.add(new Worker(name, Unchecked.get(process::start)));
    }

    /** Sends a question whose response is a text, or only the sign that its work is done. */
    public String ask(String question) {
        return ask(question, Object.class).toString();
    }

    /** Sends the question and waits for the response. */
    public <T> T ask(String question, Class<T> type) {
        try {
            questions.write(question + "\n");
            questions.flush();
            String response = responses.readLine();
            if (response == null) {
                throw new IllegalStateException(
                        name + ": ended before the response to: " + question + "; see its .out file");
            }
            return JSON.readValue(response, type);
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": does not respond: " + question, e);
        }
    }

    /** Responds to every line of standard input until it ends; called in the worker's process. */
    static void serve(Function<String, Object> response) throws IOException {
        BufferedReader questions = new BufferedReader(new java.io.InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            System.out.println(JSON.writeValueAsString(response.apply(question)));
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
