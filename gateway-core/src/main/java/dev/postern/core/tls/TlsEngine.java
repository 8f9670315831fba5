package dev.postern.core.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.lang.ref.Cleaner;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS engine of this process, for listeners and upstreams: the implementation of TLS, and why it was chosen. Thread-safe. */
public final class TlsEngine {

    private static final String BORINGSSL = "BoringSSL";

    private final boolean isNative;
    private final String why;
    private final Cleaner cleaner = Cleaner.create();

    private TlsEngine(boolean isNative, String why) {
        this.isNative = isNative;
        this.why = why;
    }

    /** Kind of TLS engine in the configuration. */
    public enum Kind {
        AUTO,
        BORINGSSL,
        JDK
    }

    /**
     * Opens the engine of that kind; {@code AUTO} takes BoringSSL where it loads and passes its self-test. Throws {@link
     * IllegalStateException} for an unavailable one.
     */
    public static TlsEngine open(Kind kind) {
        if (kind == Kind.JDK) {
            return new TlsEngine(false, "as configured");
        }
        TlsEngine boringSsl = new TlsEngine(
                true, kind == Kind.AUTO ? "the native library loads and passes its self-test" : "as configured");
        String fault = boringSsl.fault();
        if (fault == null) {
            return boringSsl;
        }
        if (kind == Kind.BORINGSSL) {
            throw new IllegalStateException("transport.tls-engine: boringssl (expected: a native library that loads and"
                    + " passes its self-test; " + fault + "; -Dio.netty.native.workdir=DIR names a folder for the"
                    + " library, on a file system without noexec; or tls-engine: auto)");
        }
        return new TlsEngine(false, fault);
    }

    /** Returns why BoringSSL can't be used; null when it can. */
    private @Nullable String fault() {
        if (!OpenSsl.isAvailable()) {
            return "the native library does not load: " + TlsFailure.rootMessage(OpenSsl.unavailabilityCause());
        }
        if (!OpenSsl.versionString().equals(BORINGSSL)) {
            return "the native library is " + OpenSsl.versionString() + ", not BoringSSL";
        }
        try {
            new TlsSelfTest(this).run();
            return null;
        } catch (SSLException | RuntimeException | LinkageError e) {
            // LinkageError: a library of another version lacks methods.
            return "the native library fails its self-test: " + TlsFailure.rootMessage(e);
        }
    }

    /** Returns {@code BoringSSL} or {@code JDK}. */
    public String name() {
        return isNative ? BORINGSSL : "JDK";
    }

    /** Returns the reason for this engine, for operators. */
    public String why() {
        return why;
    }

    /** Returns whether the engine is a native library. */
    public boolean isNative() {
        return isNative;
    }

    /** Builds a context of this engine; throws {@link SSLException} with the reason when the engine refuses its content. */
    TlsContext context(SslContextBuilder builder) throws SSLException {
        SslContext context = builder.sslProvider(isNative ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK)
                .build();
        return new TlsContext(context, cleaner);
    }

    /** Returns the cleaner that frees the native memory of unreachable objects. */
    Cleaner cleaner() {
        return cleaner;
    }
}
