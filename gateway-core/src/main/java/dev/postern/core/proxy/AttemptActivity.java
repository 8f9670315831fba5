package dev.postern.core.proxy;

import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.ClientWait;
import org.jspecify.annotations.Nullable;

/**
 * Activity of one attempt: since when no byte moved, and how long the gateway has waited for the client to send its body or to take its
 * response. Times of the loop's ticker. Event loop only.
 */
final class AttemptActivity {

    private @Nullable ClientWait body; // null until the gateway reads the body: most requests have none
    private @Nullable ClientWait response; // null while the client takes each response at once, as most do
    private long untaken; // bytes written to the client, less those that it is known to have taken
    private long moved;

    /** Begins when the request's head is sent. */
    void begin(long now) {
        moved = now;
    }

    /** Signals that the gateway reads the body. */
    void wanted(long now) {
        ClientWait wait = body;
        if (wait == null) {
            wait = new ClientWait();
            body = wait;
        }
        wait.start(now);
    }

    /** Signals that the gateway does not read the body now, or that the client could not send. */
    void unwanted(long now) {
        end(body, now);
    }

    private static void end(@Nullable ClientWait wait, long now) {
        if (wait != null) {
            wait.stop(now);
            wait.restart(now);
        }
    }

    /** Counts received bytes of the body. */
    void received(int bytes, long now) {
        ClientWait wait = body;
        if (wait != null) {
            wait.moved(bytes, now);
        }
        moved = now;
    }

    /** Counts bytes of the response that were written to the client; their time is that of the next {@link #left}. */
    void written(int bytes) {
        untaken += bytes;
        moved = Long.MIN_VALUE;
    }

    /** Notes how many written bytes the client has not taken yet. */
    void left(long unsent, long now) {
        ClientWait wait = response;
        if (untaken > unsent) {
            if (wait != null) {
                wait.moved(untaken - unsent, now);
            }
            untaken = unsent;
            moved = now;
        } else if (moved == Long.MIN_VALUE) {
            moved = now;
        }
        if (unsent == 0) {
            end(wait, now);
            return;
        }
        if (wait == null) {
            wait = new ClientWait();
            response = wait;
        }
        wait.start(now);
    }

    /** Returns the activity before a response has begun. */
    Activity request(boolean clientSends, long now) {
        return clientSends
                ? new Activity(Activity.Kind.CLIENT, nanos(body, now))
                : new Activity(Activity.Kind.UPSTREAM, now - moved);
    }

    /** Returns the activity after a response has begun; {@link #left} comes first. */
    Activity response(long unsent, long now) {
        left(unsent, now);
        return unsent > 0
                ? new Activity(Activity.Kind.CLIENT, nanos(response, now))
                : new Activity(Activity.Kind.OPEN, now - moved);
    }

    private static long nanos(@Nullable ClientWait wait, long now) {
        return wait == null ? 0 : wait.nanos(now);
    }
}
