package dev.postern.auth.token;

import java.util.Collection;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Scheme of one token type, in one class: this package reads the type and its lengths; {@code key}, {@code verify} and {@code issue} each
 * extend this interface by the methods they need.
 *
 * <p>A new type is one class that implements the last of them, {@link dev.postern.auth.issue.Issuance}, and one line in {@code
 * META-INF/services/dev.postern.auth.token.TokenScheme}. Implementations are stateless and thread-safe.
 */
public interface TokenScheme {

    TokenType type();

    /** Returns the scheme of that type in the role that the caller needs. */
    static <T extends TokenScheme> T of(TokenType type, Class<T> role) {
        TokenScheme found = Table.BY_VALUE.get(type.value());
        if (!role.isInstance(found)) {
            throw new IllegalArgumentException("token-type: " + type.value() + " (expected: one with "
                    + role.getSimpleName() + ": " + types() + ")");
        }
        return role.cast(found);
    }

    /** Returns every scheme of the table. */
    static Collection<TokenScheme> all() {
        return Table.BY_VALUE.values();
    }

    /** Returns the values of all types in the table, ascending, for messages. */
    static String types() {
        return Table.BY_VALUE.keySet().stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    }

    static @Nullable TokenType type(int value) {
        TokenScheme found = Table.BY_VALUE.get(value);
        return found == null ? null : found.type();
    }

    /** Table of the schemes; a separate class, so that a scheme's class can be loaded without the table. */
    final class Table {

        private static final Map<Integer, TokenScheme> BY_VALUE =
                ServiceLoader.load(TokenScheme.class, TokenScheme.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .collect(Collectors.toUnmodifiableMap(s -> s.type().value(), Function.identity()));

        private Table() {}
    }
}
