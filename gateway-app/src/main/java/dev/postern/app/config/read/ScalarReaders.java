package dev.postern.app.config.read;

import dev.postern.app.config.type.ByteRate;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigRate;
import dev.postern.app.config.type.ConfigShare;
import dev.postern.app.config.type.ConfigSize;
import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.Kebab;
import dev.postern.app.config.type.SessionCount;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Readers of single values: one parser per type, with the expected value as the message of its exception. */
final class ScalarReaders {

    private static final Map<Class<?>, Function<String, ?>> PARSERS = Map.ofEntries(
            Map.entry(String.class, Function.<String>identity()),
            Map.entry(int.class, ScalarReaders::wholeNumber),
            Map.entry(Integer.class, ScalarReaders::wholeNumber),
            Map.entry(boolean.class, ScalarReaders::truth),
            Map.entry(ConfigDuration.class, ConfigDuration::of),
            Map.entry(ConfigSize.class, ConfigSize::of),
            Map.entry(ByteRate.class, ByteRate::of),
            Map.entry(ConfigRate.class, ConfigRate::of),
            Map.entry(ConfigShare.class, ConfigShare::of),
            Map.entry(SessionCount.class, SessionCount::of),
            Map.entry(HostPort.class, HostPort::of));

    private ScalarReaders() {}

    /** Returns whether the class is a single value rather than a record of keys. */
    static boolean known(Class<?> type) {
        return type.isEnum() || PARSERS.containsKey(type);
    }

    /** Parses the text. Throws {@link IllegalArgumentException} with the expected value as its message. */
    static Object parse(Class<?> type, String text) {
        if (type.isEnum()) {
            return constant(type, text);
        }
        Function<String, ?> parser = PARSERS.get(type);
        if (parser == null) {
            throw new IllegalStateException(type + ": no parser (expected: a known class)");
        }
        return parser.apply(text);
    }

    /** Describes the expected values of the class. */
    static String expected(Class<?> type) {
        try {
            parse(type, "");
            return "a single value";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Returns any text that is a valid value of the class. */
    static String any(Class<?> type) {
        if (type.isEnum()) {
            return Kebab.ofConstant((Enum<?>) type.getEnumConstants()[0]);
        }
        return type == HostPort.class
                ? "localhost:1"
                : type == boolean.class ? "false" : type == ConfigShare.class ? "0%" : "0";
    }

    /** Lists the values of an enum as written in the configuration. */
    static String choices(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(c -> Kebab.ofConstant((Enum<?>) c))
                .collect(Collectors.joining(" | "));
    }

    /** Returns a mapper that constructs records from a tree in which all single values are text. */
    static JsonMapper mapper(ConfigSchema root) {
        SimpleModule module = new SimpleModule("postern");
        Map<Class<?>, Boolean> seen = new HashMap<>();
        PARSERS.keySet().forEach(type -> register(module, type));
        registerEnums(module, root, seen);
        return JsonMapper.builder()
                .addModule(module)
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
    }

    private static void registerEnums(SimpleModule module, ConfigSchema schema, Map<Class<?>, Boolean> seen) {
        if (seen.put(schema.raw(), true) == null && schema.raw().isEnum()) {
            register(module, schema.raw());
        }
        if (schema.inner() != null) {
            registerEnums(module, schema.inner(), seen);
        }
        schema.fields().forEach(field -> registerEnums(module, field.schema(), seen));
    }

    @SuppressWarnings("unchecked") // parse returns an instance of the class
    private static <T> void register(SimpleModule module, Class<T> type) {
        module.addDeserializer(type, new ValueDeserializer<T>() {
            @Override
            public T deserialize(JsonParser parser, DeserializationContext context) {
                return (T) parse(type, parser.getString());
            }
        });
    }

    private static Integer wholeNumber(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            boolean digits = text.matches("-?\\d+");
            throw new IllegalArgumentException("a whole number" + (digits ? " up to " + Integer.MAX_VALUE : ""), e);
        }
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true", "on" -> true;
            case "false", "off" -> false;
            default -> throw new IllegalArgumentException("true | false");
        };
    }

    private static Object constant(Class<?> type, String text) {
        for (Object constant : type.getEnumConstants()) {
            if (Kebab.ofConstant((Enum<?>) constant).equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(choices(type));
    }
}
