package dev.postern.load.worker;

import dev.postern.core.transport.Transport;
import dev.postern.load.measure.Command;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import io.netty.channel.EventLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
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

    /** Work of a worker's process; its constructor takes the arguments of the start. */
    public interface Task {
        /** Returns the response to a question, which has these words. */
        Object response(String... words) throws IOException;
    }

    private Worker(String name, Process process) {
        this.name = name;
        this.process = process;
        this.questions = process.outputWriter(StandardCharsets.UTF_8);
        this.responses = process.inputReader(StandardCharsets.UTF_8);
    }

    public static Worker start(RunFolder folder, Cores cores, Class<? extends Task> task, Object... arguments) {
        return start(folder, cores, "256m", task, arguments);
    }

    /**
     * Starts a worker.
     *
     * @param heap maximum, in the form of the JVM's option
     */
    public static Worker start(
            RunFolder folder, Cores cores, String heap, Class<? extends Task> task, Object... arguments) {
        String name = task.getSimpleName();
        List<String> command =
                Command.java(List.of("-Xmx" + heap, "-XX:+UseSerialGC"), Worker.class.getName(), task.getName());
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
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

    /**
     * Main method of the process: makes the task of the class that the first argument names, with the others, and responds to every line of
     * standard input until it ends or the task fails.
     */
    public static void main(String... arguments) {
        PrintStream out = System.out;
        System.setOut(System.err); // the log of the gateway's classes is no response
        try {
            String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
            Task task = Class.forName(arguments[0])
                    .asSubclass(Task.class)
                    .getDeclaredConstructor(String[].class)
                    .newInstance((Object) own);
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String question = questions.readLine(); question != null; question = questions.readLine()) {
                out.println(JSON.writeValueAsString(task.response(question.split(" "))));
            }
            System.exit(0); // though event loops still run
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    /** Returns an event loop of a worker's process, which ends with it. */
    static EventLoop loop() {
        return Transport.open(Transport.Kind.AUTO).eventLoops(1).next();
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
