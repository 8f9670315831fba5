package dev.postern.app.context;

import dev.postern.auth.verify.CryptoProvider;
import dev.postern.auth.verify.SignatureProvider;
import io.netty.handler.ssl.OpenSsl;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;

/** Context of the libraries that have alternatives of different speed: cryptography, TLS, buffers, log. */
public final class LibraryContext implements ContextSource {

    private final CryptoProvider crypto;
    private final String allocator;
    private final BooleanSupplier tlsInUse;

    /**
     * @param allocator of buffers, by name
     * @param tlsInUse returns whether any listener or upstream uses TLS now
     */
    public LibraryContext(CryptoProvider crypto, String allocator, BooleanSupplier tlsInUse) {
        this.crypto = crypto;
        this.allocator = allocator;
        this.tlsInUse = tlsInUse;
    }

    @Override
    public List<ContextItem> items() {
        return List.of(
                ContextItem.setting(
                        "crypto.provider",
                        SignatureProvider.NATIVE,
                        crypto.name(),
                        "Run on Linux with glibc, x86_64 or aarch64, where the native library loads: " + crypto.why()
                                + "."),
                ContextItem.measure("crypto.verifications-per-second", Long.toString(Math.round(crypto.perSecond()))),
                tls(),
                ContextItem.fact("netty.allocator", allocator),
                leaks(),
                log());
    }

    private ContextItem tls() {
        String found = OpenSsl.isAvailable() ? OpenSsl.versionString() : "JDK";
        if (!tlsInUse.getAsBoolean()) {
            return ContextItem.fact("tls.engine", found);
        }
        return ContextItem.judged(
                "tls.engine",
                "BoringSSL or OpenSSL",
                found,
                OpenSsl.isAvailable(),
                "Put netty-tcnative-boringssl-static of this platform on the class path.");
    }

    private static ContextItem leaks() {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        return ContextItem.judged(
                "netty.leak-detection",
                "simple or disabled",
                level.name().toLowerCase(Locale.ROOT),
                level.compareTo(ResourceLeakDetector.Level.SIMPLE) <= 0,
                "-Dio.netty.leakDetection.level=simple.");
    }

    private static ContextItem log() {
        Level level = LogManager.getLogger("dev.postern").getLevel();
        return ContextItem.judged(
                "log.level",
                "info or less",
                level.name().toLowerCase(Locale.ROOT),
                !level.isLessSpecificThan(Level.DEBUG),
                "log.level: info.");
    }
}
