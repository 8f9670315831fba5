package dev.postern.core.tls;

import dev.postern.core.tls.certificate.TlsFailure;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.lang.ref.Cleaner;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS engine of this process, for listeners and upstreams: the implementation of TLS, and why it was chosen. A gateway without TLS never
 * loads a native library. Thread-safe.
 */
public final class TlsEngine {

    private static final String BORINGSSL = "BoringSSL";

    private final Kind kind;
    private final Cleaner cleaner;
    private @Nullable Choice choice;

    private TlsEngine(Kind kind, Cleaner cleaner, @Nullable Choice choice) {
        this.kind = kind;
        this.cleaner = cleaner;
        this.choice = choice;
    }

    /** Kind of TLS engine in the configuration. */
    public enum Kind {
        AUTO,
        BORINGSSL,
        JDK
    }

    private record Choice(boolean isNative, String why) {}

    /**
     * Opens the engine of that kind; {@code AUTO} takes BoringSSL where it loads and passes its self-test, and tries that at the first
     * context. Throws {@link IllegalStateException} for an unavailable one.
     */
    public static TlsEngine open(Kind kind) {
        TlsEngine engine = new TlsEngine(kind, Cleaner.create(), null);
        if (kind == Kind.BORINGSSL) {
            engine.choice();
        }
        return engine;
    }

    private synchronized Choice choice() {
        if (choice == null) {
            choice = choose();
        }
        return choice;
    }

    private Choice choose() {
        if (kind == Kind.JDK) {
            return new Choice(false, "as configured");
        }
        String fault = fault();
        if (fault == null) {
            return new Choice(
                    true, kind == Kind.AUTO ? "the native library loads and passes its self-test" : "as configured");
        }
        if (kind == Kind.BORINGSSL) {
            throw new IllegalStateException("transport.tls-engine: boringssl (expected: a native library that loads and"
                    + " passes its self-test; " + fault + "; -Dio.netty.native.workdir=DIR names a folder for the"
                    + " library, on a file system without noexec; or tls-engine: auto)");
        }
        return new Choice(false, fault);
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
            new TlsSelfTest(new TlsEngine(kind, cleaner, new Choice(true, "self-test"))).run();
            return null;
        } catch (SSLException | RuntimeException | LinkageError e) {
            // LinkageError: a library of another version lacks methods.
            return "the native library fails its self-test: " + TlsFailure.rootMessage(e);
        }
    }

    /** Returns {@code BoringSSL} or {@code JDK}. */
    public String name() {
        return isNative() ? BORINGSSL : "JDK";
    }

    /** Returns the reason for this engine, for operators. */
    public String why() {
        return choice().why();
    }

    /** Returns whether the engine is a native library. */
    public boolean isNative() {
        return choice().isNative();
    }

    /** Builds a context of this engine; throws {@link SSLException} with the reason when the engine refuses its content. */
    TlsContext context(SslContextBuilder builder) throws SSLException {
        SslContext context = builder.sslProvider(isNative() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK)
                .build();
        return new TlsContext(context, cleaner);
    }

    /** Returns the cleaner that frees the native memory of unreachable objects. */
    Cleaner cleaner() {
        return cleaner;
    }
}
