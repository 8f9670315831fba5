package dev.postern.app.profile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names as graphs show them: the same from one process to the next, so that graphs can be compared, and without what does not belong there.
 * Libraries write addresses of servers into the names of their threads.
 */
final class FrameNames {

    /** The classes that the JVM makes at run time are numbered, or named by where they lie. */
    private static final Pattern MADE_AT_RUN_TIME = Pattern.compile("(?<=\\$\\$Lambda)[$/]\\d+|[./+]0x[0-9a-f]+");

    /** Words of letters; what else there is may be an address. */
    private static final Pattern THREAD = Pattern.compile("^[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z][A-Za-z0-9]*)*");

    private static final Pattern NUMBER = Pattern.compile("\\d+$");

    private FrameNames() {}

    /** @param method with its class, whose packages are parted by {@code /} or by dots */
    static String java(String method) {
        return MADE_AT_RUN_TIME.matcher(method).replaceAll("").replace('/', '.');
    }

    /** Threads of one pool have one name. */
    static String thread(String name) {
        Matcher words = THREAD.matcher(name);
        return words.find() ? NUMBER.matcher(words.group()).replaceAll("") : "thread";
    }
}
