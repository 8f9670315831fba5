package dev.postern.app.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.admin.AdminEndpoint;
import dev.postern.app.admin.AdminExchange;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Feed of the live page, {@code /live}: an event stream per subscriber with a {@link LiveSnapshot} per second. Samples once for all
 * subscribers, and not at all without subscribers. Thread-safe.
 */
public final class LiveFeed implements AdminEndpoint, AutoCloseable {

    /** Maximum of subscribers. Each occupies a thread of the admin address, which has many more, so that probes always get one. */
    static final int MAX = 8;

    private static final Logger LOG = LoggerFactory.getLogger(LiveFeed.class);
    private static final String EVENTS = "text/event-stream";
    private static final String TEXT = "text/plain";

    private final Supplier<LiveSample> source;
    private final Duration every;
    private final Duration patience;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-live", true));
    private final Set<LiveSubscriber> subscribers = new HashSet<>();
    private @Nullable Round round;

    /** @param source called by one thread at a time */
    public LiveFeed(Supplier<LiveSample> source) {
        this(source, Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    /** @param patience maximum time for the write of one frame */
    LiveFeed(Supplier<LiveSample> source, Duration every, Duration patience) {
        this.source = source;
        this.every = every;
        this.patience = patience;
    }

    /** Sampling from the first subscriber until the last one has left. */
    private final class Round implements Runnable {

        private final Future<?> task = thread.scheduleWithFixedDelay(this, 0, every.toNanos(), TimeUnit.NANOSECONDS);
        private @Nullable LiveSample previous;
        private byte @Nullable [] last;

        @Override
        public void run() {
            try {
                checkSubscribers();
                LiveSample current = source.get();
                LiveSnapshot snapshot = LiveSnapshot.between(previous, current);
                previous = current;
                publish(this, ("data: " + JsonMapper.shared().writeValueAsString(snapshot) + "\n\n").getBytes(UTF_8));
            } catch (RuntimeException e) {
                LOG.error("the live page gets no sample", e); // not rethrown: the executor would cancel the task
            }
        }
    }

    @Override
    public void show(AdminExchange exchange) throws IOException {
        LiveSubscriber subscriber = new LiveSubscriber(patience);
        if (!join(subscriber)) {
            exchange.set("Retry-After", "5");
            exchange.send(503, TEXT, "Too many live pages: " + MAX + " are open. Close one of them, or pause it.\n");
            return;
        }
        try (OutputStream out = exchange.stream(200, EVENTS)) {
            subscriber.watch(out);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leave(subscriber);
        }
    }

    private synchronized boolean join(LiveSubscriber subscriber) {
        if (subscribers.size() == MAX) {
            return false;
        }
        subscribers.add(subscriber);
        if (round == null) {
            round = new Round();
        } else if (round.last != null) {
            subscriber.offer(round.last);
        }
        return true;
    }

    private synchronized void leave(LiveSubscriber subscriber) {
        subscribers.remove(subscriber);
        if (subscribers.isEmpty() && round != null) {
            round.task.cancel(false);
            round = null;
        }
    }

    private synchronized void checkSubscribers() {
        subscribers.forEach(subscriber -> subscriber.check(System.nanoTime()));
    }

    /** Offers the frame to all subscribers. A frame of an earlier round, in progress when its last subscriber left, is dropped. */
    private synchronized void publish(Round from, byte[] frame) {
        if (from == round) {
            from.last = frame;
            subscribers.forEach(subscriber -> subscriber.offer(frame));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /**
     * Subscriber of the feed, on the thread that created it. Writes the newest frame and skips older ones. The connection of a subscriber that
     * does not read for longer than the patience is closed.
     */
    private static final class LiveSubscriber {

        private final Thread thread = Thread.currentThread();
        private final long patience;
        private byte @Nullable [] next;
        private boolean writing;
        private long start;

        LiveSubscriber(Duration patience) {
            this.patience = patience.toNanos();
        }

        /** Offers a frame, from any thread. Not called after the subscriber has left, when the thread serves other requests. */
        synchronized void offer(byte[] frame) {
            next = frame;
            notifyAll();
        }

        /** Interrupts a write that exceeds the patience. Called periodically, under the same rule as {@link #offer}. */
        synchronized void check(long nanos) {
            if (writing && nanos - start > patience) {
                thread.interrupt(); // the interrupted write closes the connection
            }
        }

        /** Writes the offered frames until the client closes the connection or the thread is interrupted. */
        void watch(OutputStream out) throws IOException, InterruptedException {
            while (true) {
                out.write(take());
                out.flush();
                written();
            }
        }

        private synchronized byte[] take() throws InterruptedException {
            byte[] frame = next;
            while (frame == null) {
                wait();
                frame = next;
            }
            next = null;
            writing = true;
            start = System.nanoTime();
            return frame;
        }

        private synchronized void written() {
            writing = false;
        }
    }
}
