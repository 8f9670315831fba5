package dev.postern.app.context;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.verify.CryptoProvider;
import java.util.List;

/** Context of signature checks in batches: the library for them, which is missed only on CPUs that have its instructions. */
public final class BatchContext {

    private static final String INSTRUCTIONS = "avx512ifma";

    private BatchContext() {}

    /** Returns whether this CPU has the instructions; slow on machines with many cores. */
    public static boolean cpuHasInstructions(ProcFiles proc) {
        return proc.words("cpuinfo").contains(INSTRUCTIONS);
    }

    /**
     * Reads the library and its speed.
     *
     * @param wanted whether this CPU has the instructions for it
     */
    public static List<ContextItem> items(CryptoProvider batches, boolean wanted) {
        String advice = "Install libcrypto_mb.so.11 (Debian 13: libcrypto-mb11) and run on Java 22 or later: ";
        return List.of(
                wanted
                        ? ContextItem.setting(
                                "crypto.batches", BatchProvider.LIBRARY, batches.name(), advice + batches.why() + ".")
                        : ContextItem.fact("crypto.batches", batches.name()),
                ContextItem.measure(
                        "crypto.verifications-in-batches-per-second", Long.toString(Math.round(batches.perSecond()))));
    }
}
