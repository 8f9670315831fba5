package dev.postern.core.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Splits bytes at arbitrary positions, as a network does. The same bytes are always split at the same positions, so that a finding is
 * reproducible.
 */
public final class Splits {

    private static final int[] LONGEST = {1, 3, 40, 2000};

    private Splits() {}

    public static List<byte[]> of(byte[] whole) {
        SplittableRandom random = new SplittableRandom(Arrays.hashCode(whole));
        int longest = LONGEST[random.nextInt(LONGEST.length)];
        List<byte[]> pieces = new ArrayList<>();
        for (int offset = 0; offset < whole.length; ) {
            int end = Math.min(whole.length, offset + random.nextInt(1, longest + 1));
            pieces.add(Arrays.copyOfRange(whole, offset, end));
            offset = end;
        }
        return pieces;
    }
}
