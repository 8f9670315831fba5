package dev.postern.app.profile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import one.convert.Arguments;
import one.convert.JfrToFlame;
import one.jfr.JfrReader;

/** Engine that uses the JVM's flight recorder, which runs everywhere and shows only Java frames. */
final class JfrEngine implements Profiler {

    /** Minimum interval between samples. */
    private static final Duration PERIOD = Duration.ofMillis(10);

    private static final Duration MIN_WAIT = Duration.ofNanos(10_000);
    private static final long MAX_BYTES = 64L << 20;

    private final String reason;

    /** @param reason why no better engine is in use */
    JfrEngine(String reason) {
        this.reason = reason;
    }

    @Override
    public Profile take(ProfileEvent event, Duration length) throws IOException, InterruptedException {
        Path file = Files.createTempFile("postern", ".jfr");
        try (Recording recording = new Recording()) {
            recording.setMaxSize(MAX_BYTES);
            enable(recording, event);
            recording.start();
            Thread.sleep(length.toMillis());
            recording.stop();
            recording.dump(file);
            String engine = "Java Flight Recorder, " + String.join(" and ", names(event));
            return new Profile(event, engine, hint(event), stacks(file, event));
        } finally {
            Files.delete(file);
        }
    }

    private static List<String> names(ProfileEvent event) {
        return switch (event) {
            case CPU -> List.of("jdk.ExecutionSample");
            case WALL -> List.of("jdk.ExecutionSample", "jdk.NativeMethodSample");
            case ALLOC -> List.of("jdk.ObjectAllocationSample");
            case LOCK -> List.of("jdk.JavaMonitorEnter", "jdk.ThreadPark");
        };
    }

    private static void enable(Recording recording, ProfileEvent event) {
        for (String name : names(event)) {
            switch (event) {
                case CPU, WALL -> recording.enable(name).withPeriod(PERIOD);
                case ALLOC -> recording.enable(name).with("throttle", "1000/s");
                case LOCK -> recording.enable(name).withThreshold(MIN_WAIT).withStackTrace();
            }
        }
    }

    private static String stacks(Path file, ProfileEvent event) throws IOException {
        List<String> options = new ArrayList<>(List.of("--threads", "--dot", "--output", "collapsed"));
        if (event.weighted()) {
            options.addAll(List.of("--" + event.label(), "--total"));
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (JfrReader events = new JfrReader(file.toString())) {
            JfrToFlame converter = new JfrToFlame(events, new Arguments(options.toArray(String[]::new)));
            converter.convert();
            converter.dump(text);
        }
        Stream<String> stacks = text.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(stack -> event != ProfileEvent.LOCK || waitsForLock(stack));
        return CollapsedText.clean(stacks, event.weighted());
    }

    /** Returns false for a thread that is parked without a lock, which waits for work. */
    private static boolean waitsForLock(String stack) {
        return !stack.contains("Unsafe.park") || stack.contains("Sync_[i] ");
    }

    private String hint(ProfileEvent event) {
        String left = switch (event) {
            case CPU -> " Time in libraries and in the kernel is not included.";
            case WALL -> " Threads that are parked or blocked are not included.";
            case ALLOC, LOCK -> "";
        };
        return reason + " The flight recorder shows only Java frames, up to 64 per stack." + left
                + " Required: a temporary folder (java.io.tmpdir) without noexec, on a system with glibc.";
    }
}
