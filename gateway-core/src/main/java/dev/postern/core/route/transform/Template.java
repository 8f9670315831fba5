package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Template of the configuration with placeholders that each exchange fills, such as <code>https://{host}{path}</code>; <code>{{</code> is a
 * brace. The filled text is a valid field value: ISO-8859-1 without control characters. Immutable.
 */
public final class Template {

    private final List<Part> parts;

    /** Part of a template: literal text, followed by a placeholder or null. */
    private record Part(String text, @Nullable Placeholder placeholder) {}

    private Template(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** Parses a template; throws {@link IllegalArgumentException} with value and expectation. */
    public static Template of(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) {
                throw new IllegalArgumentException(text + " (expected: visible characters of ISO-8859-1)");
            }
            if (c != '{') {
                plain.append(c);
            } else if (text.startsWith("{{", i)) {
                plain.append('{');
                i++;
            } else {
                int end = text.indexOf('}', i);
                Placeholder placeholder = end < 0 ? null : Placeholder.of(text.substring(i + 1, end));
                if (placeholder == null) {
                    throw new IllegalArgumentException(
                            text + " (expected: none but " + Placeholder.all() + ", and {{ for a brace)");
                }
                parts.add(new Part(plain.toString(), placeholder));
                plain.setLength(0);
                i = end;
            }
        }
        parts.add(new Part(plain.toString(), null));
        return new Template(parts);
    }

    /** Returns the text when it is the same for every exchange, else null. */
    @Nullable
    String constant() {
        return parts.size() == 1 ? parts.get(0).text() : null;
    }

    /** Returns the text for the exchange. */
    String fill(Exchange exchange) {
        return fill(exchange, exchange.request().path());
    }

    /**
     * Returns the text for the exchange if its path were that one.
     *
     * @param path a reading of the path
     */
    String fill(Exchange exchange, String path) {
        StringBuilder filled = new StringBuilder(64);
        for (Part part : parts) {
            filled.append(part.text());
            if (part.placeholder() == Placeholder.PATH) {
                filled.append(path);
            } else if (part.placeholder() != null) {
                filled.append(part.placeholder().value(exchange));
            }
        }
        return filled.toString();
    }
}
