package dev.postern.load.measure;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Command that runs to its end and returns its output. */
public final class Command {
    private Command() {}

    /**
     * Returns the words of a command.
     *
     * @param words with a blank between two
     * @param more words after these, each as it is
     */
    public static List<String> of(String words, Object... more) {
        List<String> command = new ArrayList<>(List.of(words.split(" ")));
        Arrays.stream(more).map(String::valueOf).forEach(command::add);
        return command;
    }

    /** Returns the path of a program of this JVM's JDK. */
    public static String ofJdk(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    /** Returns the command that starts another JVM with the class path of this one. */
    public static List<String> java(List<String> options, String main, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(ofJdk("java"), "-cp", System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main);
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        return command;
    }

    /** Runs the command of these words. */
    public static String output(String words, Object... more) {
        return output(of(words, more));
    }

    /** Returns the first match of a pattern in the output of a command. */
    static Matcher found(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IllegalStateException("output: no " + pattern + " (expected: a line such as this)\n" + output);
        }
        return matcher;
    }

    public static String output(List<String> command) {
        return Unchecked.get(() -> {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": exit status " + status + "\n" + output);
            }
            return output;
        });
    }
}
