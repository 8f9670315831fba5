package dev.postern.app.profile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names in collapsed stacks: equal across processes, so that graphs can be compared, and without private data. Libraries put addresses of
 * servers into names of threads.
 */
final class CollapsedText {

    /** Suffixes of classes that the JVM generates at run time: numbers or addresses. */
    private static final Pattern MADE_AT_RUN_TIME =
            Pattern.compile("[./+]0x[0-9a-f]+|(?<=\\$\\$Lambda)(?:[$/.](?!0x)\\d+)+");

    /** Words that begin with a letter; the rest of a thread's name may be an address. */
    private static final Pattern WORDS = Pattern.compile("^\\[([A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z][A-Za-z0-9]*)*)");

    private static final Pattern THREAD_ID = Pattern.compile(" tid=\\d+$");
    private static final Pattern NUMBER = Pattern.compile("\\d+$");

    /** End of the last frame with the mark of its kind. */
    private static final Pattern LAST_MARK = Pattern.compile("(?:_\\[.])?(?= \\d+$)");

    private CollapsedText() {}

    /**
     * Replaces the name of each thread by the name of its pool, and removes what differs from run to run from other names.
     *
     * @param typed whether the last frame of each stack is a class, marked in the result as inlined, which flame graphs use for classes
     */
    static String clean(Stream<String> stacks, boolean typed) {
        return stacks.filter(line -> line.lastIndexOf(' ') > 0)
                .map(CollapsedText::stack)
                .map(line -> (typed ? LAST_MARK.matcher(line).replaceFirst("_[i]") : line) + "\n")
                .collect(Collectors.joining());
    }

    private static String stack(String line) {
        // The name of a thread may contain semicolons.
        int end = line.startsWith("[") ? line.indexOf("];") : -1;
        String frames = end < 0 ? line : line.substring(end + 2);
        String pool = pool(end < 0 ? "" : line.substring(0, end));
        return "[" + pool + "];" + MADE_AT_RUN_TIME.matcher(frames).replaceAll("");
    }

    private static String pool(String thread) {
        Matcher words = WORDS.matcher(THREAD_ID.matcher(thread).replaceFirst(""));
        return words.find() ? NUMBER.matcher(words.group(1)).replaceFirst("") : "thread";
    }
}
