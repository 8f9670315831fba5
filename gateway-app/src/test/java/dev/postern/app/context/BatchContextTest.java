package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.verify.CryptoProvider;
import org.junit.jupiter.api.Test;

class BatchContextTest {

    private static final CryptoProvider NONE = new CryptoProvider("none", "cannot open libcrypto_mb.so.11", 0);
    private static final CryptoProvider LIBRARY = new CryptoProvider("crypto_mb", "passes the self-test", 123_456.7);

    @Test
    void namesTheReasonWhereThereIsNoLibrary() {
        ContextItem missing = ContextItems.item(ContextSources.BatchContext.items(NONE), "crypto.batches");

        assertThat(missing.drifted()).isFalse();
        assertThat(missing.found()).startsWith("none: ").contains("cannot open libcrypto_mb.so.11");
    }

    @Test
    void reportsTheLibraryAndItsSpeed() {
        assertThat(ContextItems.item(ContextSources.BatchContext.items(LIBRARY), "crypto.batches")
                        .found())
                .isEqualTo("crypto_mb");
        assertThat(ContextItems.item(
                                ContextSources.BatchContext.items(LIBRARY),
                                "crypto.verifications-in-batches-per-second")
                        .found())
                .isEqualTo("123457");
    }
}
