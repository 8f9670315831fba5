package dev.postern.auth.batch;

import dev.postern.core.transport.FailureText;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;

/**
 * Native library that is called through the foreign function API of Java 22 and later. The API is reached by reflection, at start only, so
 * that the same classes run on Java 17; pointers are passed as {@code long}. Immutable and thread-safe.
 */
final class ForeignLibrary {

    private static final int FIRST_JAVA = 22;

    private final String name;
    private final Object linker;
    private final Object symbols;

    private ForeignLibrary(String name, Object linker, Object symbols) {
        this.name = name;
        this.linker = linker;
        this.symbols = symbols;
    }

    /**
     * Opens the library of that name by the search path of the system.
     *
     * @throws IllegalStateException stating why it cannot be used
     */
    static ForeignLibrary open(String name) {
        int java = Runtime.version().feature();
        if (java < FIRST_JAVA) {
            throw new IllegalStateException("Java " + java + " (expected: " + FIRST_JAVA + " or later)");
        }
        return reflect(name, () -> {
            Class<?> arena = type("Arena");
            Object linker = type("Linker").getMethod("nativeLinker").invoke(null);
            Object endless = arena.getMethod("global").invoke(null);
            Object symbols = type("SymbolLookup")
                    .getMethod("libraryLookup", String.class, arena)
                    .invoke(null, name, endless);
            return new ForeignLibrary(name, linker, symbols);
        });
    }

    String name() {
        return name;
    }

    /**
     * Returns the handle of a function.
     *
     * @param result {@code int} or {@code long}, as each parameter
     * @throws IllegalStateException when the library has no such function
     */
    MethodHandle function(String function, Class<?> result, Class<?>... parameters) {
        return reflect(name, () -> {
            Optional<?> address = (Optional<?>)
                    type("SymbolLookup").getMethod("find", String.class).invoke(symbols, function);
            if (address.isEmpty()) {
                throw new IllegalStateException(name + ": has no function " + function);
            }
            Class<?> layout = type("MemoryLayout");
            Object layouts = Array.newInstance(layout, parameters.length);
            for (int i = 0; i < parameters.length; i++) {
                Array.set(layouts, i, layout(parameters[i]));
            }
            Class<?> descriptors = type("FunctionDescriptor");
            Object descriptor =
                    descriptors.getMethod("of", layout, layouts.getClass()).invoke(null, layout(result), layouts);
            Class<?> option = type("Linker$Option");
            return (MethodHandle) type("Linker")
                    .getMethod("downcallHandle", type("MemorySegment"), descriptors, option.arrayType())
                    .invoke(linker, address.get(), descriptor, Array.newInstance(option, 0));
        });
    }

    /** Returns the address of the first byte of a direct buffer, which must be reachable while the address is in use. */
    long address(ByteBuffer buffer) {
        return reflect(name, () -> {
            Class<?> segment = type("MemorySegment");
            Object whole = segment.getMethod("ofBuffer", Buffer.class).invoke(null, buffer);
            return (long) segment.getMethod("address").invoke(whole);
        });
    }

    private static Object layout(Class<?> primitive) throws ReflectiveOperationException {
        String field = "JAVA_" + primitive.getName().toUpperCase(Locale.ROOT);
        return type("ValueLayout").getField(field).get(null);
    }

    private static Class<?> type(String simpleName) throws ClassNotFoundException {
        return Class.forName("java.lang.foreign." + simpleName);
    }

    @FunctionalInterface
    private interface Reflection<T> {

        T run() throws ReflectiveOperationException;
    }

    private static <T> T reflect(String name, Reflection<T> reflection) {
        try {
            return reflection.run();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(name + ": " + e.getTargetException().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + ": " + FailureText.of(e), e);
        }
    }
}
