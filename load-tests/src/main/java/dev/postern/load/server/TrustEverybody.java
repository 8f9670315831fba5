package dev.postern.load.server;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;

/** Trust manager that accepts all certificates, for those that a run has just created for itself. */
public final class TrustEverybody implements X509TrustManager {
    /** Returns a context of clients that accept all certificates. */
    public static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustEverybody[] {new TrustEverybody()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {
        // The client side only: no client certificates are requested.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {
        // The server is a child process of the run.
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
