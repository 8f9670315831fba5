package dev.postern.core.exchange;

import dev.postern.core.http.Refusal;
import org.jspecify.annotations.Nullable;

/** Outcome of an exchange, collected while the exchange proceeds; complete when the exchange has ended. */
public final class Outcome {

    /** Reason of a refusal for an ambiguous head. */
    public static final String AMBIGUOUS = "ambiguous";

    /** Use of an upstream by an exchange, which decides what cancelling the exchange costs. */
    public enum UpstreamUse {
        /** No connection, or one that serves this exchange alone anyway, as a tunnel. */
        NONE,
        /** One stream of a connection, which the others keep. */
        STREAM,
        /** A connection that must be closed when the exchange is cancelled. */
        CONNECTION,
        /** The upstream's response arrived completely. */
        COMPLETED
    }

    private int status;
    private @Nullable Refusal refusal;
    private String reason = "";
    private @Nullable Reported reported;
    private @Nullable String upstream;
    private UpstreamUse upstreamUse = UpstreamUse.NONE;
    private boolean forwarded;
    private boolean reused;
    private boolean cut;
    private boolean ambiguous;
    private boolean openEnded;
    private boolean sent;
    private boolean responded;
    private long sentNanos;
    private long respondedNanos;
    private int tries;
    private long bytesIn;
    private long bytesOut;

    /**
     * Refusal that would have happened if enforcement were on.
     *
     * @param reason as {@link Outcome#reason}
     */
    public record Reported(Refusal refusal, String reason) {}

    /** Returns the final status; 0 when the client disconnected before a final response. */
    public int status() {
        return status;
    }

    public void status(int value) {
        status = value;
    }

    /** Returns the refusal, or null when the response came from the upstream. */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    public void refusal(Refusal value) {
        refusal = value;
    }

    /** Returns the reason that the refusal's code hides from the client, for log and metrics, such as {@code spent}; empty without one. */
    public String reason() {
        return reason;
    }

    public void reason(String value) {
        reason = value;
    }

    /** Returns the refusal that enforcement would have caused, or null. */
    public @Nullable Reported reported() {
        return reported;
    }

    public void reported(Refusal value, String cause) {
        reported = new Reported(value, cause);
    }

    /** Returns the name of the chosen upstream, or null when none was chosen. */
    public @Nullable String upstream() {
        return upstream;
    }

    public void upstream(String value) {
        upstream = value;
    }

    public UpstreamUse upstreamUse() {
        return upstreamUse;
    }

    public void upstreamUse(UpstreamUse value) {
        upstreamUse = value;
    }

    /** Returns whether a byte of the request may have reached an upstream; a refund is allowed only otherwise. */
    public boolean forwarded() {
        return forwarded;
    }

    public void markForwarded() {
        forwarded = true;
    }

    /** Returns whether the last attempt used a connection that had served before. */
    public boolean reused() {
        return reused;
    }

    public void reused(boolean value) {
        reused = value;
    }

    /** Returns whether the response ended before it was complete. */
    public boolean cut() {
        return cut;
    }

    public void markCut() {
        cut = true;
    }

    /** Returns whether an outbound head was ambiguous and therefore not sent. */
    public boolean ambiguous() {
        return ambiguous;
    }

    public void markAmbiguous() {
        ambiguous = true;
    }

    /** Returns whether the response is a tunnel or a stream, whose length says nothing about the speed of anything. */
    public boolean openEnded() {
        return openEnded;
    }

    public void markOpenEnded() {
        openEnded = true;
    }

    /** Begins the time to the first byte of an attempt. */
    public void requestBegan() {
        sent = false;
    }

    /** Notes that the upstream has the whole request. */
    public void requestSent(long now) {
        sent = true;
        sentNanos = now;
    }

    public void responseBegan(long now) {
        responded = true;
        respondedNanos = now;
    }

    /** Returns whether the final response of the upstream began. */
    public boolean responded() {
        return responded;
    }

    /**
     * Returns the nanoseconds from the end of the request until the upstream's response began, or until now; 0 if the response began before the
     * end of the request, -1 if the upstream never had the whole request.
     */
    public long firstByteNanos(long now) {
        if (!sent) {
            return responded ? 0 : -1;
        }
        return Math.max(0, (responded ? respondedNanos : now) - sentNanos);
    }

    public int tries() {
        return tries;
    }

    public void countTry() {
        tries++;
    }

    /** Returns the bytes of the request body that were read. */
    public long bytesIn() {
        return bytesIn;
    }

    public void addBytesIn(long n) {
        bytesIn += n;
    }

    /** Returns the bytes of the response body that were written. */
    public long bytesOut() {
        return bytesOut;
    }

    public void addBytesOut(long n) {
        bytesOut += n;
    }
}
