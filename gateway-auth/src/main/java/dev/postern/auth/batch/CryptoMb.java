package dev.postern.auth.batch;

import static java.util.stream.Collectors.joining;

import dev.postern.core.transport.FailureText;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Intel's crypto_mb library: RSA in eight lanes of AVX-512 registers, on CPUs with the IFMA instructions. Immutable and thread-safe.
 */
final class CryptoMb {

    /** Names of the library, the exact version first: of the Debian package libcrypto-mb11, and of a development package. */
    private static final List<String> NAMES = List.of("libcrypto_mb.so.11", "libcrypto_mb.so");

    /** {@code MBX_ALGO_RSA_2K} of crypto_mb/cpu_features.h. */
    private static final int RSA_2048 = 1;

    private final ForeignLibrary library;
    private final MethodHandle publicOperation;
    private final long method;
    private final int workspace;

    private CryptoMb(ForeignLibrary library, MethodHandle publicOperation, long method, int workspace) {
        this.library = library;
        this.publicOperation = publicOperation;
        this.method = method;
        this.workspace = workspace;
    }

    /**
     * Loads the first library that the system finds.
     *
     * @throws IllegalStateException stating why none can be used here
     */
    static CryptoMb load() {
        return load(NAMES);
    }

    static CryptoMb load(List<String> names) {
        List<String> against = new ArrayList<>();
        for (String name : names) {
            try {
                return of(ForeignLibrary.open(name));
            } catch (IllegalStateException e) {
                against.add(String.valueOf(e.getMessage()));
            }
        }
        throw new IllegalStateException(against.stream().distinct().collect(joining("; ")));
    }

    private static CryptoMb of(ForeignLibrary library) {
        try {
            // The library's other functions end the process on a CPU that lacks the instructions.
            long widths = (long)
                    library.function("mbx_get_algo_info", long.class, int.class).invokeExact(RSA_2048);
            if (widths == 0) {
                throw new IllegalStateException(library.name() + ": not for this CPU (expected: AVX-512 with IFMA)");
            }
            long method = (long)
                    library.function("mbx_RSA2K_pub65537_Method", long.class).invokeExact();
            int workspace = (int) library.function("mbx_RSA_Method_BufSize", int.class, long.class)
                    .invokeExact(method);
            MethodHandle publicOperation = library.function(
                    "mbx_rsa_public_mb8",
                    int.class,
                    long.class,
                    long.class,
                    long.class,
                    int.class,
                    long.class,
                    long.class);
            return new CryptoMb(library, publicOperation, method, workspace);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(library.name() + ": " + FailureText.of(e), e);
        }
    }

    /** Returns lanes for one event loop. */
    RsaLanes lanes() {
        return new CryptoMbLanes(library, publicOperation, method, workspace);
    }

    String name() {
        return library.name();
    }
}
