package dev.postern.app.flame;

import dev.postern.app.profile.Frame;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Stacks for tests, written as a line each: frames parted by semicolons, the thread first, {@code [k]} behind the kernel's. */
final class Stacks {

    private Stacks() {}

    static List<Frame> stack(String line) {
        String[] frames = line.split(";");
        return Stream.concat(
                        Stream.of(new Frame(Frame.Kind.THREAD, frames[0])),
                        Arrays.stream(frames).skip(1).map(Stacks::frame))
                .toList();
    }

    /** @param lines with their weights behind a blank */
    static Map<List<Frame>, Long> of(String... lines) {
        Map<List<Frame>, Long> stacks = new HashMap<>();
        for (String line : lines) {
            int blank = line.lastIndexOf(' ');
            stacks.put(stack(line.substring(0, blank)), Long.parseLong(line.substring(blank + 1)));
        }
        return stacks;
    }

    private static Frame frame(String text) {
        if (text.endsWith("[k]")) {
            return new Frame(Frame.Kind.KERNEL, text.substring(0, text.length() - 3));
        }
        return new Frame(text.contains(".") ? Frame.Kind.JAVA : Frame.Kind.NATIVE, text);
    }
}
