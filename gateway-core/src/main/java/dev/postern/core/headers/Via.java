package dev.postern.core.headers;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;

/** Via entries of the gateway, one for each protocol version of received messages (RFC 9110 section 7.6.3). Immutable. */
public final class Via {

    private final Field http10;
    private final Field http11;
    private final Field http2;

    /** @param pseudonym name of the gateway in Via */
    public Via(String pseudonym) {
        this.http10 = Field.of(FieldName.VIA, "1.0 " + pseudonym);
        this.http11 = Field.of(FieldName.VIA, "1.1 " + pseudonym);
        this.http2 = Field.of(FieldName.VIA, "2.0 " + pseudonym);
    }

    /** Adds the entry to a request that is forwarded. */
    public void add(RequestHead request) {
        request.add(request.majorVersion() > 1 ? http2 : request.minorVersion() == 0 ? http10 : http11);
    }

    /** Adds the entry to a response that is forwarded. */
    public void add(ResponseHead response) {
        response.add(response.majorVersion() > 1 ? http2 : response.minorVersion() == 0 ? http10 : http11);
    }
}
