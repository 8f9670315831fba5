package dev.postern.app.profile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of async-profiler's collapsed format: one line per stack, frames separated by semicolons, then the weight. */
final class CollapsedText {

    private static final Pattern THREAD = Pattern.compile("\\[(.*?)(?: tid=\\d+)?]");

    /** Suffix with the compilation kind of a frame, or with the kernel's sign. */
    private static final Pattern MARK = Pattern.compile("_\\[([a-z0-9])]$");

    private CollapsedText() {}

    /** @param typed whether the last frame of each stack is a class */
    static Map<List<Frame>, Long> read(String text, boolean typed) {
        Map<String, Frame> known = new HashMap<>();
        Map<List<Frame>, Long> stacks = new HashMap<>();
        text.lines().forEach(line -> {
            int blank = line.lastIndexOf(' ');
            if (blank > 0) {
                List<Frame> stack = stack(line.substring(0, blank), typed, known);
                stacks.merge(stack, Long.parseLong(line.substring(blank + 1)), Long::sum);
            }
        });
        return stacks;
    }

    private static List<Frame> stack(String text, boolean typed, Map<String, Frame> known) {
        // The name of a thread may contain semicolons.
        int end = text.startsWith("[") ? text.indexOf("];") + 1 : 0;
        List<Frame> stack = new ArrayList<>();
        stack.add(known.computeIfAbsent(text.substring(0, end), CollapsedText::thread));
        for (String frame : text.substring(end == 0 ? 0 : end + 1).split(";")) {
            stack.add(known.computeIfAbsent(frame, CollapsedText::frame));
        }
        if (typed) {
            String name = stack.remove(stack.size() - 1).name();
            stack.add(new Frame(Frame.Kind.TYPE, name));
        }
        return List.copyOf(stack);
    }

    private static Frame thread(String text) {
        Matcher thread = THREAD.matcher(text);
        return new Frame(Frame.Kind.THREAD, FrameNames.thread(thread.matches() ? thread.group(1) : ""));
    }

    private static Frame frame(String text) {
        Matcher mark = MARK.matcher(text);
        String name = mark.replaceAll("");
        if (mark.reset().find() && mark.group(1).equals("k")) {
            return new Frame(Frame.Kind.KERNEL, name);
        }
        // Only Java names have packages. Names of the JVM contain colons, those of the C library neither.
        int slash = name.lastIndexOf('/');
        boolean java = slash > 0 && name.indexOf('.', slash) > 0;
        return new Frame(java ? Frame.Kind.JAVA : Frame.Kind.NATIVE, java ? FrameNames.java(name) : name);
    }
}
