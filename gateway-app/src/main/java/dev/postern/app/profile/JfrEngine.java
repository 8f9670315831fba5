package dev.postern.app.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** Engine that uses the JVM's flight recorder, which runs everywhere and shows only Java frames. */
final class JfrEngine implements Profiler {

    /** Minimum interval between samples. */
    private static final Duration PERIOD = Duration.ofMillis(10);

    private static final Duration WORTH_TELLING = Duration.ofNanos(10_000);
    private static final long LARGEST = 64L << 20;

    private final String reason;

    /** @param reason why no better engine is in use */
    JfrEngine(String reason) {
        this.reason = reason;
    }

    @Override
    public Profile take(ProfileEvent event, Duration length) throws IOException, InterruptedException {
        Path file = Files.createTempFile("postern", ".jfr");
        try (Recording recording = new Recording()) {
            recording.setMaxSize(LARGEST);
            enable(recording, event);
            recording.start();
            Thread.sleep(length.toMillis());
            recording.stop();
            recording.dump(file);
            String engine = "Java Flight Recorder, " + String.join(" and ", names(event));
            return new Profile(event, engine, hint(event), read(file, event));
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
                case LOCK -> recording.enable(name).withThreshold(WORTH_TELLING).withStackTrace();
            }
        }
    }

    private static Map<List<Frame>, Long> read(Path file, ProfileEvent event) throws IOException {
        JfrStacks stacks = new JfrStacks(event, PERIOD);
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                stacks.add(events.readEvent());
            }
        }
        return stacks.weights();
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
