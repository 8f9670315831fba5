package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CountedSockets;
import dev.postern.core.testing.CountedSockets.Counts;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Tiny pieces that a gateway gets while its event loop pauses, so that they arrive in as few reads as possible, and what it may do with them. */
final class TinyPieces {

    static final int PIECES = 4_000;
    /** Bytes of one read at most. */
    static final int READ = 64 * 1024;

    private TinyPieces() {}

    /** Sends while the event loop pauses; returns when the receiver has got all. */
    static void whilePaused(CoreGateway gateway, Runnable send, Runnable receive) {
        CountDownLatch sent = new CountDownLatch(1);
        gateway.pauseUntil(sent);
        CountedSockets.client().reset();
        CountedSockets.upstream().reset();
        send.run();
        sent.countDown();
        receive.run();
    }

    /** Calls it once for each piece. */
    static void singly(Runnable send) {
        for (int i = 0; i < PIECES; i++) {
            send.run();
        }
    }

    /** Expects few reads, none of them large, and at most two writes for each. */
    static void bounded(Counts from, Counts to) {
        bounded(from, to, 1);
    }

    static void bounded(Counts from, Counts to, int streams) {
        assertThat(from.reads()).isBetween(1, PIECES / 100);
        assertThat(from.most()).as("bytes of one read: %s", from).isLessThanOrEqualTo(READ);
        assertThat(to.flushes()).as("writes per read: %s; %s", from, to).isLessThanOrEqualTo(2 * from.reads());
        assertThat(to.buffers())
                .as("buffers per read: %s; %s", from, to)
                .isLessThanOrEqualTo(2 * streams * from.reads());
        assertThat(from.flushes()).as("replies per read: %s", from).isLessThanOrEqualTo(2 * from.reads());
    }

    static String chunks(String piece) {
        return (Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n").repeat(PIECES / piece.length());
    }

    /** Reads until all pieces have come. */
    static void readPieces(Supplier<String> read) {
        int found = 0;
        while (found < PIECES) {
            found += (int) read.get().chars().filter(c -> c == 'x').count();
        }
    }
}
