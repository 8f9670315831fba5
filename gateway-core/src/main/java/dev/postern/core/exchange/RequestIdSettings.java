package dev.postern.core.exchange;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.http.FieldName;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Settings of request ids, section {@code request-id} of a listener.
 *
 * @param field name of the field with the id
 * @param accept whose ids are kept
 */
public record RequestIdSettings(
        @Key(
                defaultValue = "X-Request-ID",
                description = "Field with the id, in requests to the upstream and in all responses.")
        String field,

        @Key(
                defaultValue = "trusted",
                description = "Whose id is kept: that of `trusted-proxies` (`trusted`), of `all` clients, or of `none`."
                        + " Other exchanges get a new id (UUID version 7).")
        Accept accept) {

    /** Fields that mean something else, beside those that no configuration may change. */
    private static final List<FieldName> TAKEN = List.of(
            FieldName.ACCEPT,
            FieldName.AUTHORIZATION,
            FieldName.CACHE_CONTROL,
            FieldName.CONTENT_TYPE,
            FieldName.COOKIE,
            FieldName.DATE,
            FieldName.FORWARDED,
            FieldName.LOCATION,
            FieldName.PROXY_AUTHORIZATION,
            FieldName.RETRY_AFTER,
            FieldName.SET_COOKIE,
            FieldName.TRACEPARENT,
            FieldName.USER_AGENT,
            FieldName.VIA,
            FieldName.X_FORWARDED_FOR,
            FieldName.X_FORWARDED_HOST,
            FieldName.X_FORWARDED_PORT,
            FieldName.X_FORWARDED_PROTO);

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
    private static final int LONGEST = 64;

    /** Whose ids are kept. */
    public enum Accept {
        TRUSTED,
        ALL,
        NONE
    }

    public RequestIdSettings {
        Checks.of()
                .that(free(field), "field", field, "a field name that HTTP uses for nothing else, such as X-Request-ID")
                .done();
    }

    private static boolean free(String field) {
        return NAME.matcher(field).matches() && field.length() <= LONGEST && !TAKEN.contains(FieldName.of(field));
    }
}
