package dev.postern.app.profile;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import one.profiler.AsyncProfiler;

/** Engine that uses async-profiler, which samples Java code, native libraries and, where permitted, the kernel. */
final class AsyncEngine implements Profiler {

    private static final String ALWAYS = ",threads,jstackdepth=512,loglevel=error";
    private static final String FORMAT = "collapsed,threads,dot,ann,";

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
    private record SamplingMode(String options, String engine, String hint) {}

    /** Loads the native library into this process. Throws any error of the JVM if the library can't be loaded. */
    static Profiler load(KernelFrames kernel) {
        return new AsyncEngine(AsyncProfiler.getInstance(), kernel);
    }

    @Override
    public Profile take(ProfileEvent event, Duration length) throws IOException, InterruptedException {
        SamplingMode mode = start(modes(event));
        try {
            Thread.sleep(length.toMillis());
        } finally {
            profiler.stop();
        }
        String text = profiler.execute(FORMAT + (event.weighted() ? "total" : "samples"));
        String stacks = CollapsedText.clean(text.lines(), event.weighted());
        return new Profile(
                event, "async-profiler " + profiler.getVersion() + ", " + mode.engine(), mode.hint(), stacks);
    }

    /** Returns the modes for an event, the best first. */
    private List<SamplingMode> modes(ProfileEvent event) {
        return switch (event) {
            case CPU -> {
                SamplingMode timer =
                        new SamplingMode("event=ctimer,interval=1ms", "ctimer every 1 ms", KernelFrames.PERMIT);
                SamplingMode old =
                        new SamplingMode("event=itimer,interval=1ms", "itimer every 1 ms", KernelFrames.PERMIT);
                SamplingMode perf = new SamplingMode(
                        "event=cpu-clock,interval=1ms", "perf_events every 1 ms, with the kernel's frames", "");
                // Without kernel symbols perf_events leaves out all time in the kernel. Timers count that time for the
                // caller.
                yield kernel.named() ? List.of(perf, timer, old) : List.of(timer, old);
            }
            case WALL ->
                List.of(new SamplingMode(
                        "event=wall,interval=10ms", "wall clock every 10 ms, without the kernel's frames", ""));
            case ALLOC -> List.of(new SamplingMode("event=alloc,alloc=256k", "one in 256 KiB", ""));
            case LOCK -> List.of(new SamplingMode("event=lock,lock=10us", "waits of 10 us and more", ""));
        };
    }

    private SamplingMode start(List<SamplingMode> modes) throws IOException {
        String reason = "";
        for (SamplingMode mode : modes) {
            try {
                profiler.execute("start," + mode.options() + ALWAYS);
                return mode;
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
