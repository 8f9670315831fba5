package dev.postern.core.http;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Proxy status: the field with which a forward proxy tells a client why it refused (RFC 9209). */
public final class ProxyStatus {

    /** Name of the gateway, without the random part that it has in Via. */
    private static final String PROXY = "postern";

    private static final Map<Refusal, Field> FIELDS = fields();

    private ProxyStatus() {}

    /** Returns the field for a refusal; null where the table of RFC 9209 section 2.3 has no error for it. */
    public static @Nullable Field of(Refusal refusal) {
        return FIELDS.get(refusal);
    }

    private static Map<Refusal, Field> fields() {
        Map<Refusal, Field> fields = new EnumMap<>(Refusal.class);
        for (Refusal refusal : Refusal.values()) {
            @Nullable String error = error(refusal);
            if (error != null) {
                fields.put(refusal, Field.of(FieldName.PROXY_STATUS, PROXY + "; error=" + error));
            }
        }
        return Collections.unmodifiableMap(fields);
    }

    private static @Nullable String error(Refusal refusal) {
        return switch (refusal) {
            case REQUEST_MALFORMED, BODY_TOO_LARGE, NOT_IMPLEMENTED, EXPECTATION_FAILED, RATE_KEY_MISSING ->
                "http_request_error";
            case ADDRESS_DENIED, TOKEN_REQUIRED, RATE_LIMITED, WAITING, ROOM_FULL, NO_PLACE, TUNNELS_FULL ->
                "http_request_denied";
            case LOOP -> "proxy_loop_detected";
            case DESTINATION_FORBIDDEN -> "destination_ip_prohibited";
            case DESTINATION_UNRESOLVED, UPSTREAM_UNRESOLVED -> "dns_error";
            case DESTINATION_LOOKUP_TIMEOUT -> "dns_timeout";
            case UPSTREAM_REFUSED -> "connection_refused";
            case UPSTREAM_CONNECT_TIMEOUT -> "connection_timeout";
            case UPSTREAM_CLOSED -> "connection_terminated";
            case UPSTREAM_STALLED -> "http_response_timeout";
            case UPSTREAM_MALFORMED -> "http_protocol_error";
            case KEYS_UNAVAILABLE, VERIFIER_BUSY, LEDGER_UNKNOWN, LEDGER_BUSY, ROOM_UNKNOWN, OVERLOADED, INTERNAL ->
                "proxy_internal_error";
            default -> null;
        };
    }
}
