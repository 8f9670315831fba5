package dev.postern.app.config.read;

import java.util.Arrays;
import tools.jackson.databind.PropertyNamingStrategy;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.AnnotatedParameter;

/** Names the properties of records as the keys of the configuration. */
final class KeyNames extends PropertyNamingStrategy {

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
