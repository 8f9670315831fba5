package dev.postern.auth.handler;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.batch.BatchVerifier;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Batches of the tokens that one iteration of an event loop presents: verified at the end of the iteration, or as soon as a batch is full. A
 * single token is verified by the check of its key, which is faster than a batch of one.
 *
 * <p>Thread-safe; each event loop has its own batch.
 */
final class TokenBatches {

    private final BatchProvider provider;
    private final EventLoopLocal<Batch> batches = new EventLoopLocal<>(Batch::new);

    TokenBatches(BatchProvider provider) {
        this.provider = provider;
    }

    /** Returns whether tokens can be verified in batches here. */
    boolean available() {
        return provider.available();
    }

    /** Adds the token to the batch of the current event loop, which verifies the token in this iteration, or drops it if its exchange ends. */
    void add(WaitingToken token) {
        batches.get(token.exchange().loop()).add(token);
    }

    private final class Batch {

        private final EventLoop loop;
        private final ArrayDeque<WaitingToken> waiting = new ArrayDeque<>();
        private final WaitingToken[] taken = new WaitingToken[BatchVerifier.MAX];
        private final Runnable drain = this::drain;
        private @Nullable BatchVerifier verifier;
        private boolean scheduled;
        private boolean verifying;

        Batch(EventLoop loop) {
            this.loop = loop;
        }

        void add(WaitingToken token) {
            waiting.add(token);
            // A result can lead to the next request of a pipelined connection, and to the next token.
            if (waiting.size() >= BatchVerifier.MAX && !verifying) {
                verify();
            } else {
                schedule();
            }
        }

        /** Verifies the tokens that wait now; those that follow from their results wait for the next iteration. */
        private void drain() {
            scheduled = false;
            for (int left = waiting.size(); left > 0; left -= BatchVerifier.MAX) {
                verify();
            }
        }

        private void schedule() {
            if (!scheduled) {
                scheduled = true;
                // Runs after all sockets that were ready in this iteration have been read.
                loop.execute(drain);
            }
        }

        private void verify() {
            verifying = true;
            int count = take();
            try {
                int valid = valid(count);
                for (int i = 0; i < count; i++) {
                    taken[i].verified((valid & 1 << i) != 0);
                }
            } catch (RuntimeException e) {
                for (int i = 0; i < count; i++) {
                    taken[i].failed(e);
                }
            }
            Arrays.fill(taken, 0, count, null);
            verifying = false;
        }

        /** Takes the tokens whose exchanges still need a result; returns how many. */
        private int take() {
            int count = 0;
            while (count < taken.length && !waiting.isEmpty()) {
                WaitingToken next = waiting.remove();
                if (!next.exchange().ended()) {
                    taken[count++] = next;
                }
            }
            return count;
        }

        private int valid(int count) {
            if (count > 1) {
                if (verifier == null) {
                    verifier = provider.verifier();
                }
                return verifier.verify(taken, count);
            }
            return count == 1 && taken[0].alone() ? 1 : 0;
        }
    }
}
