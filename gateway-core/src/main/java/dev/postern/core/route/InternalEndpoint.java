package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.PageNote;
import org.jspecify.annotations.Nullable;

/** Endpoint that the gateway serves itself under {@code /.postern/} of its reverse listeners, without token and room. */
@FunctionalInterface
public interface InternalEndpoint {

    /** Prefix of all paths that never go to an upstream. */
    String PREFIX = "/.postern/";

    /** Responds with {@link Exchange#reply} or {@link Exchange#refuse}, now or later, on the loop of the exchange. */
    void serve(Exchange exchange);

    /**
     * Renders a page that this endpoint has noted in a {@link PageNote}, for the same client in another exchange, without a new decision; null
     * when it knows no such page any more.
     */
    default @Nullable LocalReply page(Exchange exchange, int status, PageNote note) {
        return null;
    }
}
