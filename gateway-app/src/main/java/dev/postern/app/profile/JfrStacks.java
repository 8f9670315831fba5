package dev.postern.app.profile;

import java.lang.constant.ClassDesc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/** Stacks of a flight recording with their weights, added up from its events. For one thread. */
final class JfrStacks {

    private static final Frame CUT = new Frame(Frame.Kind.NATIVE, "[deeper than the limit of the flight recorder]");

    private final ProfileEvent event;
    private final long period;
    private final Map<List<Frame>, Long> weights = new HashMap<>();

    /** @param period weight of one time sample */
    JfrStacks(ProfileEvent event, Duration period) {
        this.event = event;
        this.period = period.toNanos();
    }

    void add(RecordedEvent recorded) {
        // A thread that is parked without a lock waits for work.
        boolean lock = !recorded.getEventType().getName().equals("jdk.ThreadPark")
                || type(recorded).endsWith("Sync");
        if (recorded.getStackTrace() != null && lock) {
            weights.merge(stack(recorded), weight(recorded), Long::sum);
        }
    }

    Map<List<Frame>, Long> weights() {
        return weights;
    }

    private long weight(RecordedEvent recorded) {
        return switch (event) {
            case CPU, WALL -> period;
            case ALLOC -> recorded.getLong("weight");
            case LOCK -> recorded.getDuration().toNanos();
        };
    }

    private List<Frame> stack(RecordedEvent recorded) {
        List<Frame> stack = new ArrayList<>();
        String type = type(recorded);
        if (!type.isEmpty()) {
            stack.add(new Frame(Frame.Kind.TYPE, type));
        }
        for (RecordedFrame frame : recorded.getStackTrace().getFrames()) {
            String method = frame.getMethod().getType().getName() + "."
                    + frame.getMethod().getName();
            stack.add(new Frame(Frame.Kind.JAVA, FrameNames.java(method)));
        }
        if (recorded.getStackTrace().isTruncated()) {
            stack.add(CUT);
        }
        stack.add(new Frame(Frame.Kind.THREAD, FrameNames.thread(thread(recorded))));
        Collections.reverse(stack);
        return List.copyOf(stack);
    }

    private static String thread(RecordedEvent recorded) {
        RecordedThread thread =
                recorded.hasField("sampledThread") ? recorded.getThread("sampledThread") : recorded.getThread();
        String name = thread == null ? null : thread.getJavaName();
        return name == null ? "" : name;
    }

    private String type(RecordedEvent recorded) {
        String field = recorded.hasField("objectClass")
                ? "objectClass"
                : recorded.hasField("monitorClass") ? "monitorClass" : "parkedClass";
        @Nullable RecordedClass type = recorded.hasField(field) ? recorded.getClass(field) : null;
        String name = type == null ? "" : type.getName();
        return FrameNames.java(
                name.startsWith("[")
                        ? ClassDesc.ofDescriptor(name.replace('.', '/')).displayName()
                        : name);
    }
}
