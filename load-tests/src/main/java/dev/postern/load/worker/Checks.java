package dev.postern.load.worker;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Checks of a turn; times in nanoseconds.
 *
 * @param failed checks with another response than the expected one, or none
 * @param segments that the connections sent
 * @param waits from when checks were due to when a connection sent them
 * @param times from when checks were sent to their responses
 * @param versions times of the commands that precede checks, a part of {@code times}
 */
public record Checks(int failed, long segments, Histogram waits, Histogram times, Histogram versions) {
    private static final int WORDS = 5;

    public double segmentsEach() {
        return (double) segments / times.getTotalCount();
    }

    /** Returns microseconds; NaN if there are no times. */
    public static double micros(Histogram times, double percentile) {
        return times.getTotalCount() == 0 ? Double.NaN : times.getValueAtPercentile(percentile) / 1e3;
    }

    /** Returns the line of the worker's response. */
    String line() {
        return failed + " " + segments + " " + text(waits) + " " + text(times) + " " + text(versions);
    }

    /** Reads {@link #line()}. */
    public static Checks parse(String line) {
        String[] words = line.split(" ");
        if (words.length != WORDS) {
            throw new IllegalArgumentException(line + " (expected: two numbers and three histograms)");
        }
        return new Checks(
                Integer.parseInt(words[0]),
                Long.parseLong(words[1]),
                histogram(words[2]),
                histogram(words[3]),
                histogram(words[4]));
    }

    private static String text(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private static Histogram histogram(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException(text + " (expected: a compressed histogram)", e);
        }
    }
}
