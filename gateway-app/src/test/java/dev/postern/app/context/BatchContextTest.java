package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.verify.CryptoProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchContextTest {

    private static final CryptoProvider NONE = new CryptoProvider("none", "cannot open libcrypto_mb.so.11", 0);
    private static final CryptoProvider LIBRARY = new CryptoProvider("crypto_mb", "passes the self-test", 123_456.7);

    @Test
    void reportsAMissingLibraryAndTheReasonWhereTheCpuHasTheInstructions() {
        ContextItem missing = ContextItems.item(BatchContext.items(NONE, true), "crypto.batches");

        assertThat(missing.drifted()).isTrue();
        assertThat(missing.wanted()).isEqualTo("crypto_mb");
        assertThat(missing.found()).isEqualTo("none");
        assertThat(missing.advice()).contains("libcrypto-mb11").contains("cannot open libcrypto_mb.so.11");
    }

    @Test
    void missesNoLibraryOnOtherCpus() {
        ContextItem missing = ContextItems.item(BatchContext.items(NONE, false), "crypto.batches");

        assertThat(missing.drifted()).isFalse();
        assertThat(missing.found()).isEqualTo("none");
    }

    @Test
    void reportsTheLibraryAndItsSpeed() {
        assertThat(ContextItems.item(BatchContext.items(LIBRARY, true), "crypto.batches")
                        .drifted())
                .isFalse();
        assertThat(ContextItems.item(BatchContext.items(LIBRARY, true), "crypto.verifications-in-batches-per-second")
                        .found())
                .isEqualTo("123457");
    }

    @Test
    void readsTheInstructionsOfTheCpu(@TempDir Path proc) throws Exception {
        Files.writeString(proc.resolve("cpuinfo"), "processor : 0\nflags : fpu avx512f avx512ifma sha_ni\n");
        assertThat(BatchContext.cpuHasInstructions(new ProcFiles(proc))).isTrue();

        Files.writeString(proc.resolve("cpuinfo"), "processor : 0\nflags : fpu avx512f\n");
        assertThat(BatchContext.cpuHasInstructions(new ProcFiles(proc))).isFalse();
        Files.delete(proc.resolve("cpuinfo"));
        assertThat(BatchContext.cpuHasInstructions(new ProcFiles(proc))).isFalse();
    }
}
