package dev.postern.load.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Stream of tokens from a file or a named pipe, one a line: a thread reads ahead into a queue of bounded size, and each token is used once.
 * The memory of a run therefore does not depend on the number of its tokens.
 */
final class TokenStream implements Iterator<Map<String, Object>> {
    private static final int AHEAD = 1024;
    /** Stands in the queue behind the last token. */
    private static final String END = "";

    private static final long PATIENCE_SECONDS = 30;

    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(AHEAD);
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Path file;

    TokenStream(Path file) {
        this.file = file;
        Thread reader = new Thread(this::read, "tokens");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (Stream<String> lines = Files.lines(file)) {
            for (String line : (Iterable<String>) lines.filter(line -> !line.isBlank())::iterator) {
                put(line);
            }
            put(END);
        } catch (IOException e) {
            System.err.println(file + ": " + e + " (expected: tokens from postern mint)");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ready.countDown();
        }
    }

    private void put(String line) throws InterruptedException {
        if (!queue.offer(line)) {
            ready.countDown();
            queue.put(line);
        }
    }

    /** Waits until the queue is full, or the file ends. */
    void awaitFull() throws InterruptedException {
        ready.await();
        System.out.println("  " + queue.size() + " tokens read ahead from " + file);
    }

    @Override
    public boolean hasNext() {
        return !END.equals(queue.peek()); // an empty queue may get a token: the next call waits for it
    }

    @Override
    public Map<String, Object> next() {
        try {
            String token = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (token == null || token.equals(END)) {
                throw new NoSuchElementException(
                        file + ": no token within " + PATIENCE_SECONDS + " s (expected: one for each user)");
            }
            return Map.of("token", token);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoSuchElementException("interrupted");
        }
    }
}
