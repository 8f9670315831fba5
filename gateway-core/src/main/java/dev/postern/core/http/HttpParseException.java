package dev.postern.core.http;

/**
 * Bytes that are not what RFC 9112 allows here; thrown by scanner and body reader, answered by whoever reads the connection.
 *
 * <p>Carries no stack: it is a response to a peer, not an error of ours, and hostile peers send many.
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

    /** What the client is told when the fault is in a request. */
    public Refusal refusal() {
        return refusal;
    }
}
