package dev.postern.core.headers;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Via entries of the gateway, one for each protocol version of received messages (RFC 9110 section 7.6.3). The pseudonym in them tells a
 * gateway which requests it has forwarded itself. Immutable.
 */
public final class Via {

    private static final int RANDOM_BYTES = 8;

    private final FieldName pseudonym;
    private final Field http10;
    private final Field http11;
    private final Field http2;

    /** @param pseudonym name of the gateway in Via, a token */
    public Via(String pseudonym) {
        this.pseudonym = FieldName.of(pseudonym);
        this.http10 = Field.of(FieldName.VIA, "1.0 " + pseudonym);
        this.http11 = Field.of(FieldName.VIA, "1.1 " + pseudonym);
        this.http2 = Field.of(FieldName.VIA, "2.0 " + pseudonym);
    }

    /** Creates the entries of one gateway: no other gateway has its pseudonym, which says nothing about its host. */
    public static Via random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Via("postern-" + HexFormat.of().formatHex(bytes));
    }

    /** Returns whether the request has an entry of this gateway, so that it came back. */
    public boolean names(RequestHead request) {
        for (int i = request.next(FieldName.VIA, 0); i >= 0; i = request.next(FieldName.VIA, i + 1)) {
            if (request.mentions(i, pseudonym)) {
                return true;
            }
        }
        return false;
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
