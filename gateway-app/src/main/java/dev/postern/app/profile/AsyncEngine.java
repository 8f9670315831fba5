package dev.postern.app.profile;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import one.profiler.AsyncProfiler;
import one.profiler.Counter;

/** Takes profiles by async-profiler, which samples threads wherever they are: in Java, in libraries and, where that is permitted, in the kernel. */
final class AsyncEngine implements Profiler {

    private static final String ALWAYS = ",threads,jstackdepth=512,loglevel=error";

    private final AsyncProfiler profiler;
    private final KernelFrames kernel;

    private AsyncEngine(AsyncProfiler profiler, KernelFrames kernel) {
        this.profiler = profiler;
        this.kernel = kernel;
    }

    /**
     * One way to take a profile.
     *
     * @param options of async-profiler
     * @param hint what can't be seen in this way
     */
    private record Way(String options, String engine, String hint) {}

    /** Loads the native library into this process; throws whatever a JVM throws where that can't be. */
    static Profiler load(KernelFrames kernel) {
        return new AsyncEngine(AsyncProfiler.getInstance(), kernel);
    }

    @Override
    public Profile take(ProfileEvent event, Duration length) throws IOException, InterruptedException {
        Way way = start(ways(event));
        try {
            Thread.sleep(length.toMillis());
        } finally {
            profiler.stop();
        }
        boolean typed = event == ProfileEvent.ALLOC || event == ProfileEvent.LOCK;
        Map<List<Frame>, Long> stacks = CollapsedText.read(profiler.dumpCollapsed(Counter.TOTAL), typed);
        return new Profile(event, "async-profiler " + profiler.getVersion() + ", " + way.engine(), way.hint(), stacks);
    }

    /** The best first. */
    private List<Way> ways(ProfileEvent event) {
        return switch (event) {
            case CPU -> {
                Way timer = new Way("event=ctimer,interval=1ms", "ctimer", KernelFrames.PERMIT);
                Way old = new Way("event=itimer,interval=1ms", "itimer", KernelFrames.PERMIT);
                Way perf = new Way("event=cpu-clock,interval=1ms", "perf_events, with the kernel's frames", "");
                // Without names perf_events would leave out all time in the kernel; timers give it to who called.
                yield kernel.named() ? List.of(perf, timer, old) : List.of(timer, old);
            }
            case WALL -> List.of(new Way("event=wall,interval=10ms", "wall clock, without the kernel's frames", ""));
            case ALLOC -> List.of(new Way("event=alloc,alloc=256k", "one in 256 KiB", ""));
            case LOCK -> List.of(new Way("event=lock,lock=10us", "waits of 10 us and more", ""));
        };
    }

    private Way start(List<Way> ways) throws IOException {
        String reason = "";
        for (Way way : ways) {
            try {
                profiler.execute("start," + way.options() + ALWAYS);
                return way;
            } catch (IllegalStateException e) {
                reason = String.valueOf(e.getMessage());
                if (reason.contains("already started")) {
                    throw new BusyException(reason);
                }
            }
        }
        throw new IOException("async-profiler: " + reason);
    }
}
