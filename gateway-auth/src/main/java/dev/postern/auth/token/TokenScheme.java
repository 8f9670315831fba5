package dev.postern.auth.token;

import java.util.Collection;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one token type needs, in one class: this package asks it for lengths; {@code key}, {@code verify} and {@code issue} each
 * extend this interface by what they need of it.
 *
 * <p>A new type is one class that implements the last of them, {@link dev.postern.auth.issue.Issuance}, and one line in the table, {@code
 * META-INF/services/dev.postern.auth.token.TokenScheme}. Implementations are stateless and thread-safe.
 */
public interface TokenScheme {

    TokenType type();

    /** The scheme of that type in the role that the caller needs. */
    static <T extends TokenScheme> T of(TokenType type, Class<T> role) {
        TokenScheme found = Table.BY_VALUE.get(type.value());
        if (!role.isInstance(found)) {
            throw new IllegalArgumentException("token-type: " + type.value() + " (expected: one with "
                    + role.getSimpleName() + ": " + types() + ")");
        }
        return role.cast(found);
    }

    /** Every scheme of the table. */
    static Collection<TokenScheme> all() {
        return Table.BY_VALUE.values();
    }

    /** The values of all types in the table, ascending, for messages. */
    static String types() {
        return Table.BY_VALUE.keySet().stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    }

    static @Nullable TokenType type(int value) {
        TokenScheme found = Table.BY_VALUE.get(value);
        return found == null ? null : found.type();
    }

    /** Apart, so that a scheme's own class can be loaded without it. */
    final class Table {

        private static final Map<Integer, TokenScheme> BY_VALUE =
                ServiceLoader.load(TokenScheme.class, TokenScheme.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .collect(Collectors.toUnmodifiableMap(s -> s.type().value(), Function.identity()));

        private Table() {}
    }
}
