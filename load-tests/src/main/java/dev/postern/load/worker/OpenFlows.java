package dev.postern.load.worker;

import dev.postern.load.measure.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Open flows through one proxy, used in turn. */
final class OpenFlows implements OpenLoad.Caller {
    /** Messages of a flow that are on their way at once, as many as the gateway forwards concurrently by default. */
    private static final int AT_ONCE = 8;
    /** The number of threads is the same for few flows and for many, so that only the number of flows differs. */
    private static final int THREADS = 10;

    private final Flow.Opener opener;
    private final List<Flow> open = new ArrayList<>();
    private int next;

    OpenFlows(Flow.Opener opener) {
        this.opener = opener;
    }

    /** Makes one round trip over each new one, so that both ends have it open. */
    int hold(int count) throws IOException {
        while (open.size() > count) {
            open.remove(open.size() - 1).close();
        }
        while (open.size() < count) {
            Flow opened = opener.open();
            open.add(opened);
            if (!opened.call()) {
                throw new IOException("first round trip: another message (expected: the one that was sent)");
            }
        }
        next = 0;
        return open.size();
    }

    @Override
    public boolean call() throws IOException {
        Flow used = open.get(next);
        next = (next + 1) % open.size();
        return used.call();
    }

    /** Lets each thread use its share of the flows in turn: it sends {@value #AT_ONCE} messages at once and waits for them. */
    Throughput stream(int millis) {
        int arrived = sum(Sequence::arrived);
        int outOfOrder = sum(Sequence::outOfOrder);
        int missing = sum(Sequence::missing);
        long start = System.nanoTime();
        long end = start + millis * 1_000_000L;
        List<Thread> threads = IntStream.range(0, Math.min(THREADS, open.size()))
                .mapToObj(number -> new Thread(() -> use(share(number), end), "stream-" + number))
                .toList();
        threads.forEach(Thread::start);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Throughput(
                sum(Sequence::arrived) - arrived,
                seconds,
                sum(Sequence::outOfOrder) - outOfOrder,
                sum(Sequence::missing) - missing);
    }

    private List<Flow> share(int number) {
        return IntStream.range(0, open.size())
                .filter(i -> i % THREADS == number)
                .mapToObj(open::get)
                .toList();
    }

    /** Ends early when a flow breaks: its messages are missing then. */
    private static void use(List<Flow> flows, long end) {
        try {
            for (int i = 0; System.nanoTime() < end; i = (i + 1) % flows.size()) {
                flows.get(i).exchange(AT_ONCE);
            }
        } catch (IOException e) {
            Progress.say("flow: " + e);
        }
    }

    private int sum(ToIntFunction<Sequence> count) {
        return open.stream().map(Flow::sequence).mapToInt(count).sum();
    }
}
