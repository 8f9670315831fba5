package dev.postern.app.profile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of frames in graphs: equal across processes, so that graphs can be compared, and without private data. Libraries put addresses of
 * servers into names of threads.
 */
final class FrameNames {

    /** Suffixes of classes that the JVM generates at run time: numbers or addresses. */
    private static final Pattern MADE_AT_RUN_TIME = Pattern.compile("(?<=\\$\\$Lambda)[$/]\\d+|[./+]0x[0-9a-f]+");

    /** Words that begin with a letter; the rest of a thread's name may be an address. */
    private static final Pattern THREAD = Pattern.compile("^[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z][A-Za-z0-9]*)*");

    private static final Pattern NUMBER = Pattern.compile("\\d+$");

    private FrameNames() {}

    /** @param method with its class, with {@code /} or dots between packages */
    static String java(String method) {
        return MADE_AT_RUN_TIME.matcher(method).replaceAll("").replace('/', '.');
    }

    /** Returns one common name for all threads of a pool. */
    static String thread(String name) {
        Matcher words = THREAD.matcher(name);
        return words.find() ? NUMBER.matcher(words.group()).replaceAll("") : "thread";
    }
}
