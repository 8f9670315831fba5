package dev.postern.auth.issue;

import dev.postern.auth.token.Token;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Batch of tokens that are fetched in parallel; the first failure ends the batch. */
final class TokenBatch {

    private final int count;
    private final int parallel;
    private final Consumer<Token> each;
    private final AtomicInteger begun = new AtomicInteger();

    TokenBatch(int count, int parallel, Consumer<Token> each) {
        if (count < 1 || parallel < 1) {
            throw new IllegalArgumentException(
                    "mint: " + count + " tokens, " + parallel + " at once (expected: 1 or more)");
        }
        this.count = count;
        this.parallel = Math.min(parallel, count);
        this.each = each;
    }

    /** Source of one token. */
    @FunctionalInterface
    interface Source {

        Token next() throws IOException, InterruptedException;
    }

    void run(Source source) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(parallel, TokenBatch::daemon);
        CompletionService<Integer> workers = new ExecutorCompletionService<>(threads);
        try {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < parallel; i++) {
                all.add(workers.submit(() -> work(source)));
            }
            for (int i = 0; i < all.size(); i++) {
                workers.take().get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IllegalStateException("minting failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private int work(Source source) throws IOException, InterruptedException {
        int done = 0;
        while (begun.getAndIncrement() < count) {
            Token token = source.next();
            synchronized (each) {
                each.accept(token);
            }
            done++;
        }
        return done;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "postern-mint");
        thread.setDaemon(true);
        return thread;
    }
}
