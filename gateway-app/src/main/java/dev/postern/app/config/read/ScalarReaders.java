package dev.postern.app.config.read;

import dev.postern.app.log.LogTarget;
import dev.postern.core.config.ByteRate;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Kebab;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.SessionCount;
import dev.postern.ratelimit.store.TenantKey;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategy;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Readers of scalar values: a parser for each type, whose exception says what was expected. */
final class ScalarReaders {

    private static final Map<Class<?>, Function<String, ?>> PARSERS = Map.ofEntries(
            Map.entry(String.class, Function.<String>identity()),
            Map.entry(int.class, ScalarReaders::wholeNumber),
            Map.entry(Integer.class, ScalarReaders::wholeNumber),
            Map.entry(Path.class, ScalarReaders::path),
            Map.entry(boolean.class, ScalarReaders::truth),
            Map.entry(Duration.class, DurationText::parse),
            Map.entry(ByteSize.class, ByteSize::of),
            Map.entry(ByteRate.class, ByteRate::of),
            Map.entry(Rate.class, Rate::of),
            Map.entry(Share.class, Share::of),
            Map.entry(SessionCount.class, SessionCount::of),
            Map.entry(RateKey.class, RateKey::of),
            Map.entry(TenantKey.class, TenantKey::of),
            Map.entry(LogTarget.class, LogTarget::of),
            Map.entry(HostPort.class, HostPort::of));

    private ScalarReaders() {}

    /** Returns whether the class is a scalar type and no record of keys. */
    static boolean known(Class<?> type) {
        return type.isEnum() || PARSERS.containsKey(type);
    }

    /** Parses a value; the message of the {@link IllegalArgumentException} says what was expected. */
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

    /** Returns the expected form of a value of that class, for messages. */
    static String expected(Class<?> type) {
        try {
            parse(type, "");
            return "a single value";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Returns a valid text for a value of that class. */
    static String any(Class<?> type) {
        if (type.isEnum()) {
            return Kebab.ofConstant((Enum<?>) type.getEnumConstants()[0]);
        }
        if (type == LogTarget.class) {
            return "stdout";
        }
        return type == HostPort.class
                ? "localhost:1"
                : type == boolean.class ? "false" : type == Share.class ? "0%" : "0";
    }

    /** Returns the values of an enum as operators write them. */
    static String choices(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(c -> Kebab.ofConstant((Enum<?>) c))
                .collect(Collectors.joining(" | "));
    }

    /** Returns a mapper from trees, whose scalars are all text, to records. */
    static JsonMapper mapper(ConfigSchema root) {
        SimpleModule module = new SimpleModule("postern");
        Map<Class<?>, Boolean> seen = new HashMap<>();
        PARSERS.keySet().forEach(type -> register(module, type));
        registerEnums(module, root, seen);
        return JsonMapper.builder()
                .addModule(module)
                .propertyNamingStrategy(new KeyNames())
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

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("the name of a file", e);
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

    /** Names the properties of records as the keys of the configuration. */
    private static final class KeyNames extends PropertyNamingStrategy {

        private static final long serialVersionUID = 1L;

        @Override
        public String nameForConstructorParameter(MapperConfig<?> config, AnnotatedParameter parameter, String name) {
            return key(parameter.getDeclaringClass(), name);
        }

        @Override
        public String nameForField(MapperConfig<?> config, AnnotatedField field, String name) {
            return key(field.getDeclaringClass(), name);
        }

        @Override
        public String nameForGetterMethod(MapperConfig<?> config, AnnotatedMethod method, String name) {
            return key(method.getDeclaringClass(), name);
        }

        private static String key(Class<?> type, String component) {
            if (!type.isRecord()) {
                return component;
            }
            return Arrays.stream(type.getRecordComponents())
                    .filter(c -> c.getName().equals(component))
                    .findFirst()
                    .map(ConfigSchema::key)
                    .orElse(component);
        }
    }
}
