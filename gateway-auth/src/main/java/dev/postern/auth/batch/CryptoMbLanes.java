package dev.postern.auth.batch;

import dev.postern.auth.key.RsaKey;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Lanes of crypto_mb, in one block of memory outside the heap: about 20 KiB for each event loop, freed with this object. */
final class CryptoMbLanes implements RsaLanes {

    private static final int ALIGNMENT = 64;
    private static final int BITS = 8 * RsaKey.LENGTH;
    private static final int STATUS_BITS = 4;
    private static final int STATUS = 0xf;

    /** Offsets: three arrays of pointers, then what they point to, then the library's workspace. */
    private static final int SIGNATURE_POINTERS = 0;

    private static final int RESULT_POINTERS = SIGNATURE_POINTERS + COUNT * Long.BYTES;
    private static final int MODULUS_POINTERS = RESULT_POINTERS + COUNT * Long.BYTES;
    private static final int SIGNATURES = MODULUS_POINTERS + COUNT * Long.BYTES;
    private static final int RESULTS = SIGNATURES + COUNT * RsaKey.LENGTH;
    private static final int MODULI = RESULTS + COUNT * RsaKey.LENGTH;
    private static final int WORKSPACE = MODULI + COUNT * RsaKey.LENGTH;

    private final ByteBuffer memory;
    private final long address;
    private final MethodHandle publicOperation;
    private final long method;
    /** Keys whose modulus is in each lane already: tokens of one issuer have the same key. */
    private final @Nullable RsaKey[] keys = new RsaKey[COUNT];

    CryptoMbLanes(ForeignLibrary library, MethodHandle publicOperation, long method, int workspace) {
        this.publicOperation = publicOperation;
        this.method = method;
        memory = ByteBuffer.allocateDirect(WORKSPACE + workspace + ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .order(ByteOrder.nativeOrder());
        address = library.address(memory);
        for (int lane = 0; lane < COUNT; lane++) {
            point(RESULT_POINTERS, lane, RESULTS);
            point(MODULUS_POINTERS, lane, MODULI);
        }
    }

    @Override
    public void fill(int lane, RsaKey key, byte[] bytes, int offset) {
        memory.put(SIGNATURES + lane * RsaKey.LENGTH, bytes, offset, RsaKey.LENGTH);
        if (keys[lane] != key) {
            key.copyModulus(memory, MODULI + lane * RsaKey.LENGTH);
            keys[lane] = key;
        }
        point(SIGNATURE_POINTERS, lane, SIGNATURES);
    }

    @Override
    public void empty(int lane) {
        // The library skips a lane without a pointer, and says so in its status.
        memory.putLong(SIGNATURE_POINTERS + lane * Long.BYTES, 0);
    }

    private void point(int pointers, int lane, int area) {
        memory.putLong(pointers + lane * Long.BYTES, address + area + (long) lane * RsaKey.LENGTH);
    }

    @Override
    public int compute() {
        int status = call();
        int computed = 0;
        for (int lane = 0; lane < COUNT; lane++) {
            if ((status >>> lane * STATUS_BITS & STATUS) == 0) {
                computed |= 1 << lane;
            }
        }
        return computed;
    }

    private int call() {
        try {
            return (int) publicOperation.invokeExact(
                    address + SIGNATURE_POINTERS,
                    address + RESULT_POINTERS,
                    address + MODULUS_POINTERS,
                    BITS,
                    method,
                    address + WORKSPACE);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("mbx_rsa_public_mb8: " + e, e);
        }
    }

    @Override
    public void result(int lane, byte[] target) {
        memory.get(RESULTS + lane * RsaKey.LENGTH, target, 0, RsaKey.LENGTH);
    }
}
