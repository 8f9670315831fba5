package dev.postern.core.testing;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.TlsEnvironment;
import java.time.InstantSource;

/** TLS of gateways under test. */
public final class TestTls {

    private TestTls() {}

    /** Returns the environment of a listener with that engine and a random key ring. */
    public static TlsEnvironment environment(TlsEngine.Kind engine) {
        return new TlsEnvironment(TlsEngine.open(engine), KeyRing.random(), InstantSource.system());
    }
}
