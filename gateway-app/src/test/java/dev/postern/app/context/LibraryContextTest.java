package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.verify.CryptoProvider;
import dev.postern.core.tls.TlsEngine;
import io.netty.util.ResourceLeakDetector;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.Test;

/** Changes settings of the whole process, and restores them. */
class LibraryContextTest {

    private static ContextItem item(String name, String provider, boolean tls) {
        return item(name, provider, TlsEngine.Kind.AUTO, tls);
    }

    private static ContextItem item(String name, String provider, TlsEngine.Kind engine, boolean tls) {
        CryptoProvider crypto = new CryptoProvider(provider, "no native library for Haiku", 1234.5);
        return ContextItems.item(
                ProcessContext.libraries(crypto, "AdaptiveByteBufAllocator", TlsEngine.open(engine), tls), name);
    }

    private static ContextItem item(String name) {
        return item(name, "AmazonCorrettoCryptoProvider", false);
    }

    @Test
    void reportsASlowProviderAndTheReason() {
        ContextItem slow = item("crypto.provider", "SunRsaSign", false);
        assertThat(slow.drifted()).isTrue();
        assertThat(slow.advice()).contains("no native library for Haiku");
        assertThat(item("crypto.provider").drifted()).isFalse();
        assertThat(item("crypto.verifications-per-second").found()).isEqualTo("1235");
    }

    @Test
    void reportsTlsWithoutItsNativeLibraryOnlyIfTlsIsUsed() {
        assertThat(engine(TlsEngine.Kind.JDK, false).drifted()).isFalse();
        assertThat(engine(TlsEngine.Kind.JDK, false).found()).isEqualTo("not in use");
        ContextItem slow = engine(TlsEngine.Kind.JDK, true);
        assertThat(slow.drifted()).isTrue();
        assertThat(slow.wanted()).isEqualTo("BoringSSL");
        assertThat(slow.advice()).contains("transport.tls-engine", "as configured");
        assertThat(engine(TlsEngine.Kind.AUTO, true).found()).isEqualTo("BoringSSL");
        assertThat(engine(TlsEngine.Kind.AUTO, true).drifted()).isFalse();
    }

    private static ContextItem engine(TlsEngine.Kind kind, boolean used) {
        return item("tls.engine", "AmazonCorrettoCryptoProvider", kind, used);
    }

    @Test
    void reportsAnExpensiveLeakDetector() {
        ResourceLeakDetector.Level previous = ResourceLeakDetector.getLevel();
        try {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
            assertThat(item("netty.leak-detection").found()).isEqualTo("paranoid");
            assertThat(item("netty.leak-detection").drifted()).isTrue();
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.ADVANCED);
            assertThat(item("netty.leak-detection").drifted()).isTrue();
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
            assertThat(item("netty.leak-detection").drifted()).isFalse();
        } finally {
            ResourceLeakDetector.setLevel(previous);
        }
    }

    @Test
    void reportsAVerboseLog() {
        Level previous = LogManager.getLogger("dev.postern").getLevel();
        try {
            Configurator.setLevel("dev.postern", Level.DEBUG);
            assertThat(item("log.level").drifted()).isTrue();
            assertThat(item("log.level").found()).isEqualTo("debug");
            assertThat(item("log.level").advice()).contains("log.level: info");
            Configurator.setLevel("dev.postern", Level.INFO);
            assertThat(item("log.level").drifted()).isFalse();
        } finally {
            Configurator.setLevel("dev.postern", previous);
        }
    }

    @Test
    void showsTheAllocator() {
        assertThat(item("netty.allocator").found()).isEqualTo("AdaptiveByteBufAllocator");
    }
}
