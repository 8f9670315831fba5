package dev.postern.app.cli;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON output of the commands. */
final class Json {

    static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }
}
