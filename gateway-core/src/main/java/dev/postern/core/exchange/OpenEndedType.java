package dev.postern.core.exchange;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.ResponseHead;

/**
 * Media types of responses that may last as long as the client listens: events, frames of a camera, calls of gRPC. Compares bytes, since every
 * response passes here.
 */
final class OpenEndedType {

    private static final FieldName[] TYPES = {
        FieldName.of("text/event-stream"), FieldName.of("multipart/x-mixed-replace"), FieldName.of("application/grpc")
    };

    private OpenEndedType() {}

    static boolean of(ResponseHead head) {
        int index = head.next(FieldName.CONTENT_TYPE, 0);
        if (index < 0) {
            return false;
        }
        for (FieldName type : TYPES) {
            if (head.valueBegins(index, type)) {
                return true;
            }
        }
        return false;
    }
}
