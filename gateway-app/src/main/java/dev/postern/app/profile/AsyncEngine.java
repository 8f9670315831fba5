package dev.postern.app.profile;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import one.profiler.AsyncProfiler;
import one.profiler.Counter;

/** Engine that uses async-profiler, which samples Java code, native libraries and, where permitted, the kernel. */
final class AsyncEngine implements Profiler {

    private static final String ALWAYS = ",threads,jstackdepth=512,loglevel=error";

    private final AsyncProfiler profiler;
    private final KernelFrames kernel;

    private AsyncEngine(AsyncProfiler profiler, KernelFrames kernel) {
        this.profiler = profiler;
        this.kernel = kernel;
    }

    /**
     * Mode of async-profiler for one event.
     *
     * @param options of async-profiler
     * @param hint what the mode does not show
     */
    private record Way(String options, String engine, String hint) {}

    /** Loads the native library into this process. Throws any error of the JVM if the library can't be loaded. */
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

    /** Returns the modes for an event, the best first. */
    private List<Way> ways(ProfileEvent event) {
        return switch (event) {
            case CPU -> {
                Way timer = new Way("event=ctimer,interval=1ms", "ctimer", KernelFrames.PERMIT);
                Way old = new Way("event=itimer,interval=1ms", "itimer", KernelFrames.PERMIT);
                Way perf = new Way("event=cpu-clock,interval=1ms", "perf_events, with the kernel's frames", "");
                // Without kernel symbols perf_events leaves out all time in the kernel. Timers count that time for the
                // caller.
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
