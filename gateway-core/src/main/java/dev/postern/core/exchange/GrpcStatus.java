package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Status of a local reply for clients of gRPC, which look for it in the trailers and not in the status line. A head that ends the stream
 * is both ("Trailers-Only" of gRPC over HTTP2). Stateless.
 */
final class GrpcStatus {

    private static final String TYPE = "application/grpc";
    private static final FieldName STATUS = FieldName.of("grpc-status");
    private static final FieldName MESSAGE = FieldName.of("grpc-message");

    private static final int UNKNOWN = 2;
    private static final int PERMISSION_DENIED = 7;
    private static final int UNIMPLEMENTED = 12;
    private static final int INTERNAL = 13;
    private static final int UNAVAILABLE = 14;
    private static final int UNAUTHENTICATED = 16;

    private GrpcStatus() {}

    /** Returns whether the client of that request expects a status of gRPC; over HTTP/1.1 there is none, and gRPC-Web has its own. */
    static boolean expected(RequestHead request) {
        String type = request.majorVersion() > 1 ? request.value(FieldName.CONTENT_TYPE) : null;
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(TYPE)) {
            return false;
        }
        return type.length() == TYPE.length() || "+; \t".indexOf(type.charAt(TYPE.length())) >= 0;
    }

    /** Returns the fields of the status, for a reply that would have that HTTP status. */
    static List<Field> fields(int status, @Nullable Refusal refusal) {
        Field code = Field.of(STATUS, Integer.toString(code(status)));
        return refusal == null
                ? List.of(code)
                : List.of(code, Field.of(MESSAGE, encoded(refusal.code() + ": " + refusal.advice())));
    }

    /** Returns the code for an HTTP status, as clients derive it ("HTTP to gRPC Status Code Mapping"). */
    static int code(int status) {
        return switch (status) {
            case 400 -> INTERNAL;
            case 401 -> UNAUTHENTICATED;
            case 403 -> PERMISSION_DENIED;
            case 404 -> UNIMPLEMENTED;
            case 429, 502, 503, 504 -> UNAVAILABLE;
            default -> UNKNOWN;
        };
    }

    /** Encodes a text by percent signs, as the field of the message requires. */
    static String encoded(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte octet : text.getBytes(UTF_8)) {
            if (octet >= ' ' && octet <= '~' && octet != '%') {
                out.append((char) octet);
            } else {
                out.append(String.format("%%%02X", octet & 0xff));
            }
        }
        return out.toString();
    }

    /** Returns the type of a response that has only a head. */
    static Field type() {
        return Field.of(FieldName.CONTENT_TYPE, TYPE);
    }
}
