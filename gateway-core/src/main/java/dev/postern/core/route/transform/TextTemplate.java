package dev.postern.core.route.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text of a response with placeholders such as <code>{request-id}</code>. Unlike a {@link Template}, it is a whole document: a brace that begins
 * no word in braces stands for itself, so JSON and style sheets need no change; <code>{{word}</code> is <code>{word}</code>. Immutable.
 */
public final class TextTemplate {

    private static final Pattern WORD = Pattern.compile("\\{(\\{?)([a-z][a-z-]*)}");

    private final List<Part> parts;

    /** Part of a template: literal text, followed by a placeholder; empty for none. */
    private record Part(String text, String placeholder) {}

    private TextTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * Parses a template; throws {@link IllegalArgumentException} with value and expectation.
     *
     * @param known placeholders that the text may have
     */
    public static TextTemplate of(String text, List<String> known) {
        List<Part> parts = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        Matcher words = WORD.matcher(text);
        int from = 0;
        while (words.find()) {
            plain.append(text, from, words.start());
            from = words.end();
            String word = words.group(2);
            if (!words.group(1).isEmpty()) {
                plain.append('{').append(word).append('}');
            } else if (known.contains(word)) {
                parts.add(new Part(plain.toString(), word));
                plain.setLength(0);
            } else {
                throw new IllegalArgumentException("{" + word + "} (expected: none but "
                        + known.stream().map(name -> "{" + name + "}").collect(Collectors.joining(" ")) + ", and {{"
                        + word
                        + "} for the text itself)");
            }
        }
        parts.add(new Part(plain.append(text, from, text.length()).toString(), ""));
        return new TextTemplate(parts);
    }

    /** Returns whether the text is the same for every exchange. */
    public boolean constant() {
        return parts.size() == 1;
    }

    /** @param values returns the value of a placeholder, in the form that the text needs */
    public String fill(Function<String, String> values) {
        StringBuilder filled = new StringBuilder();
        for (Part part : parts) {
            filled.append(part.text());
            if (!part.placeholder().isEmpty()) {
                filled.append(values.apply(part.placeholder()));
            }
        }
        return filled.toString();
    }
}
