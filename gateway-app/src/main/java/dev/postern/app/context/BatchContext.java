package dev.postern.app.context;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.verify.CryptoProvider;
import java.util.List;

/**
 * Context of signature checks in batches: the library for them, or why there is none. No machine lacks it for correct work, and few have CPU,
 * JDK and library for it, so a missing library is no difference from the wanted values.
 */
final class BatchContext {

    private BatchContext() {}

    /** Reads the library and its speed. */
    static List<ContextItem> items(CryptoProvider batches) {
        String found =
                batches.name().equals(BatchProvider.NONE) ? BatchProvider.NONE + ": " + batches.why() : batches.name();
        return List.of(
                ContextItem.fact("crypto.batches", found),
                ContextItem.measure(
                        "crypto.verifications-in-batches-per-second", Long.toString(Math.round(batches.perSecond()))));
    }
}
