package dev.postern.core.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/**
 * TLS context: what handshakes with the same files have in common. Thread-safe.
 *
 * <p>A context of BoringSSL is native memory with a reference count. Each connection has a reference to its context. This object owns the
 * first reference, and a cleaner releases it when the object is unreachable: when a reload replaces a context, event loops may still create
 * handlers of the previous one for connections that they have just accepted, so no call is known to be the last.
 */
final class TlsContext {

    private final SslContext context;

    TlsContext(SslContext context, Cleaner cleaner) {
        this.context = context;
        cleaner.register(this, () -> ReferenceCountUtil.release(context));
    }

    /** Sets the keys of session tickets: the first seals, all open. Only for listeners with BoringSSL. */
    void tickets(OpenSslSessionTicketKey[] keys) {
        ((OpenSslServerSessionContext) context.sessionContext()).setTicketKeys(keys);
    }

    /** Creates the handler of an accepted connection. */
    SslHandler handler(ByteBufAllocator allocator) {
        try {
            return BrokenRecordHandler.follow(context.newHandler(allocator));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Creates the handler of a connection to a server. */
    SslHandler handler(ByteBufAllocator allocator, String host, int port) {
        try {
            return BrokenRecordHandler.follow(context.newHandler(allocator, host, port));
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
