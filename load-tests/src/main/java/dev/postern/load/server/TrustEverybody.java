package dev.postern.load.server;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/** Context of clients that accept all certificates, for those that a run has just created for itself. */
public final class TrustEverybody {
    private TrustEverybody() {}

    public static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
