package dev.postern.core.testing;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.TlsEnvironment;
import java.io.IOException;
import java.net.Socket;
import java.time.InstantSource;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** TLS of gateways under test. */
public final class TestTls {

    private TestTls() {}

    /** Returns the environment of a listener with that engine and a random key ring. */
    public static TlsEnvironment environment(TlsEngine.Kind engine) {
        KeyRing ring = KeyRing.random();
        return new TlsEnvironment(TlsEngine.open(engine), () -> ring, InstantSource.system());
    }

    /** Layers TLS of the JDK over a client's connection. */
    public static SSLSocket over(Socket connection, SSLContext context) throws IOException {
        return (SSLSocket) context.getSocketFactory().createSocket(connection, "localhost", 443, true);
    }
}
