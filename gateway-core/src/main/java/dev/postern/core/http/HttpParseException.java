package dev.postern.core.http;

/**
 * Exception for bytes that RFC 9112 does not allow at this place. The parsers and body readers throw it; the handler of the connection
 * turns it into a refusal.
 *
 * <p>The exception has no stack trace: it reports a fault of a peer, not of the gateway, and hostile peers cause many.
 */
public final class HttpParseException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    public HttpParseException(Refusal refusal, String reason) {
        super(reason, null, false, false);
        this.refusal = refusal;
    }

    public static HttpParseException malformed(String reason) {
        return new HttpParseException(Refusal.REQUEST_MALFORMED, reason);
    }

    /** Returns the refusal for the client when the fault is in a request. */
    public Refusal refusal() {
        return refusal;
    }
}
