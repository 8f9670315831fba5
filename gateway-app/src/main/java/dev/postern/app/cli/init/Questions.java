package dev.postern.app.cli.init;

import dev.postern.app.cli.option.WrongArgument;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Function;

/** Questions to a person, each asked again until its answer can be used. */
public final class Questions {

    private final BufferedReader in;
    private final PrintWriter out;

    public Questions(BufferedReader in, PrintWriter out) {
        this.in = in;
        this.out = out;
    }

    /**
     * Asks a question.
     *
     * @param preset the answer for an empty line
     * @param parser throws {@link IllegalArgumentException} with the expected value as its message
     */
    <T> T ask(String question, String preset, Function<String, T> parser) throws IOException {
        while (true) {
            out.print(question + (preset.isEmpty() ? ": " : " [" + preset + "]: "));
            out.flush();
            String line = in.readLine();
            if (line == null) {
                out.println();
                throw new WrongArgument("standard input: ended (expected: an answer, or options: postern init --help)");
            }
            String answer = line.isBlank() ? preset : line.strip();
            try {
                return parser.apply(answer);
            } catch (IllegalArgumentException e) {
                out.println(answer + " (expected: " + e.getMessage() + ")");
            }
        }
    }
}
