package dev.postern.core.http;

import static dev.postern.core.http.FaultDomain.CLIENT;
import static dev.postern.core.http.FaultDomain.GATEWAY;
import static dev.postern.core.http.FaultDomain.STORE;
import static dev.postern.core.http.FaultDomain.UPSTREAM;

import java.util.Locale;

/**
 * Refusals: the table of all responses that the gateway generates itself, each with a stable code, a status, a fault domain and a remedy.
 *
 * <p>The response must not tell the client why a token was refused: missing, invalid, unknown key, wrong challenge, spent and GREASE are
 * all {@link #TOKEN_REQUIRED}; log and metrics carry the reason in addition.
 */
public enum Refusal {
    // codec
    REQUEST_MALFORMED(400, CLIENT, "The request is not well-formed HTTP. Send it by RFC 9112 or RFC 9113."),
    REQUEST_TIMEOUT(408, CLIENT, "The request took too long to arrive. Send it again, faster."),
    BODY_TOO_LARGE(413, CLIENT, "The body is larger than this route takes."),
    TARGET_TOO_LONG(414, CLIENT, "The request target is longer than this gateway reads."),
    HEAD_TOO_LARGE(
            431,
            CLIENT,
            "The request head is larger than this gateway reads. Send fewer or smaller fields, such as cookies."),
    NOT_IMPLEMENTED(501, CLIENT, "The gateway does not know this transfer coding or method."),
    VERSION_UNSUPPORTED(505, CLIENT, "The gateway speaks HTTP/1.0 and HTTP/1.1 here."),
    EXPECTATION_FAILED(417, CLIENT, "The only expectation this gateway knows is 100-continue."),

    // match
    ROUTE_NOT_FOUND(404, CLIENT, "Nothing is served under this host and path."),
    MISDIRECTED(421, CLIENT, "This listener does not serve that host."),
    LOOP(508, UPSTREAM, "The request came back to the gateway that forwarded it: an upstream leads here."),
    ADDRESS_DENIED(403, CLIENT, "Clients of this address are not served here."),
    METHOD_REFUSED(405, CLIENT, "This method is not allowed here."),
    TUNNELS_FULL(429, CLIENT, "You have as many tunnels open as one client may. Close one."),
    MAINTENANCE(503, GATEWAY, "The site is being worked on. Come back when Retry-After says."),

    // identify, verify, spend
    TOKEN_REQUIRED(401, CLIENT, "A fresh Privacy Pass token is required. Answer the challenge."),
    CREDENTIALS_MALFORMED(400, CLIENT, "The credentials are not well-formed. Send one PrivateToken by RFC 9577."),
    KEYS_UNAVAILABLE(503, GATEWAY, "No issuer key is at hand, so no token can be checked. Try again shortly."),
    VERIFIER_BUSY(503, GATEWAY, "Too many tokens are being checked. Try again shortly."),
    LEDGER_UNKNOWN(503, STORE, "The spend ledger did not answer in time. Your token was not used; try again shortly."),
    LEDGER_BUSY(503, STORE, "Too many spends wait for the ledger. Your token was not used; try again shortly."),

    // admit
    RATE_KEY_MISSING(400, CLIENT, "Requests are counted here by a header or cookie that this request needs once."),
    RATE_LIMITED(429, CLIENT, "Too many requests. Wait as long as Retry-After says."),
    WAITING(503, CLIENT, "The site is full. You have a place in the queue; ask again when Retry-After says."),
    ROOM_FULL(503, GATEWAY, "The site and its queue are full. Try again later."),
    NO_PLACE(503, CLIENT, "The site is limited. Requests that no user waits for, such as prefetches, get no place."),
    ROOM_UNKNOWN(503, STORE, "The queue did not answer in time. Try again shortly."),

    // forward
    UPSTREAM_UNRESOLVED(502, UPSTREAM, "The name of the upstream does not resolve."),
    UPSTREAM_REFUSED(502, UPSTREAM, "The upstream refused the connection."),
    UPSTREAM_CONNECT_TIMEOUT(504, UPSTREAM, "The upstream did not take the connection in time."),
    UPSTREAM_TLS(502, UPSTREAM, "The upstream could not prove who it is, or speaks another TLS."),
    UPSTREAM_CLOSED(502, UPSTREAM, "The upstream closed the connection before it answered."),
    UPSTREAM_MALFORMED(502, UPSTREAM, "The upstream's response is not well-formed HTTP."),
    UPSTREAM_STALLED(504, UPSTREAM, "The upstream did not answer in time."),
    UPSTREAM_BUSY(503, UPSTREAM, "All connections to the upstream are in use. Try again shortly."),
    UPSTREAM_DOWN(503, UPSTREAM, "The upstream is known to be down. Try again shortly."),
    DESTINATION_FORBIDDEN(403, CLIENT, "This gateway does not connect to that destination."),
    DESTINATION_UNRESOLVED(502, CLIENT, "The name of the destination does not resolve."),
    DESTINATION_LOOKUP_TIMEOUT(504, UPSTREAM, "The name of the destination did not resolve in time."),

    // extensions
    EXTENSION_REFUSED(403, CLIENT, "An extension of this gateway refused the request."),
    EXTENSION_FAILED(500, GATEWAY, "An extension of this gateway failed. The operator finds the reason in the log."),

    // the gateway itself
    DRAINING(503, GATEWAY, "This gateway is going down. Try again; another one will answer."),
    OVERLOADED(503, GATEWAY, "The gateway is overloaded. Try again shortly."),
    INTERNAL(500, GATEWAY, "The gateway failed. The operator finds the reason in the log.");

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final int status;
    private final FaultDomain blame;
    private final String advice;

    Refusal(int status, FaultDomain blame, String advice) {
        this.status = status;
        this.blame = blame;
        this.advice = advice;
    }

    /** Returns the stable, kebab-case code that scripts, log and metrics use. */
    public String code() {
        return code;
    }

    /** Returns the status on a reverse listener; {@link #TOKEN_REQUIRED} is 407 on a forward listener. */
    public int status() {
        return status;
    }

    public FaultDomain blame() {
        return blame;
    }

    /** Returns the cause and the remedy, as text for people. */
    public String advice() {
        return advice;
    }

    /** Returns whether a retry may succeed soon, so that the response carries Retry-After. */
    public boolean retriable() {
        return status == 503 || status == 429 || status == 504;
    }
}
