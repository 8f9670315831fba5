package dev.postern.core.exchange;

import dev.postern.core.http.Refusal;
import org.jspecify.annotations.Nullable;

/** How an exchange ended, gathered on its way; complete when the exchange has ended. */
public final class Outcome {

    /** The reason of a refusal for a head that could have been read in two ways. */
    public static final String AMBIGUOUS = "ambiguous";

    private int status;
    private @Nullable Refusal refusal;
    private String reason = "";
    private @Nullable Reported reported;
    private @Nullable String upstream;
    private boolean forwarded;
    private boolean reused;
    private boolean cut;
    private boolean ambiguous;
    private int tries;
    private long bytesIn;
    private long bytesOut;

    /**
     * What an exchange would have been refused with if that were enforced.
     *
     * @param reason as {@link Outcome#reason}
     */
    public record Reported(Refusal refusal, String reason) {}

    /** The final status; 0 when the client went away before there was one. */
    public int status() {
        return status;
    }

    public void status(int value) {
        status = value;
    }

    /** Why the gateway answered by itself, or null when the upstream answered. */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    public void refusal(Refusal value) {
        refusal = value;
    }

    /** What the refusal's code does not tell the client, for log and metrics: {@code spent}, say; empty when there is no more to tell. */
    public String reason() {
        return reason;
    }

    public void reason(String value) {
        reason = value;
    }

    /** Null when it would not have been refused, or was. */
    public @Nullable Reported reported() {
        return reported;
    }

    public void reported(Refusal value, String cause) {
        reported = new Reported(value, cause);
    }

    /** The upstream that was chosen, or null when it never came to that. */
    public @Nullable String upstream() {
        return upstream;
    }

    public void upstream(String value) {
        upstream = value;
    }

    /** Whether a byte of the request may have reached an upstream; only without one may a token be given back. */
    public boolean forwarded() {
        return forwarded;
    }

    public void markForwarded() {
        forwarded = true;
    }

    /** Whether the last try went over a connection that had served before. */
    public boolean reused() {
        return reused;
    }

    public void reused(boolean value) {
        reused = value;
    }

    /** Whether the response ended before it was complete. */
    public boolean cut() {
        return cut;
    }

    public void markCut() {
        cut = true;
    }

    /** Whether a head on its way out could have been read in two ways, and was not sent. */
    public boolean ambiguous() {
        return ambiguous;
    }

    public void markAmbiguous() {
        ambiguous = true;
    }

    public int tries() {
        return tries;
    }

    public void countTry() {
        tries++;
    }

    /** Bytes of the request's body that were read. */
    public long bytesIn() {
        return bytesIn;
    }

    public void addBytesIn(long n) {
        bytesIn += n;
    }

    /** Bytes of the response's body that were written. */
    public long bytesOut() {
        return bytesOut;
    }

    public void addBytesOut(long n) {
        bytesOut += n;
    }
}
