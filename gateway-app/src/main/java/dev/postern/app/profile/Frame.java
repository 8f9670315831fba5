package dev.postern.app.profile;

/**
 * Frame of a stack.
 *
 * @param name of a Java method with its class ({@code dev.postern.app.cli.Main.main}), of a native function, a thread, or a class
 */
public record Frame(Kind kind, String name) {

    /** Kind of the frame's code. */
    public enum Kind {
        /** Name of a thread, the first frame of each stack. */
        THREAD,
        JAVA,
        /** Native code: the JVM itself, the C library, and other libraries. */
        NATIVE,
        KERNEL,
        /** Class of the allocated object or of the lock, the last frame of such a stack. */
        TYPE
    }

    /** Returns the class of a Java method, or the name of any other frame. */
    public String className() {
        int dot = name.lastIndexOf('.');
        return kind == Kind.JAVA && dot > 0 ? name.substring(0, dot) : name;
    }
}
