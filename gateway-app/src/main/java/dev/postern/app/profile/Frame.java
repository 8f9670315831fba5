package dev.postern.app.profile;

/**
 * One step of a stack.
 *
 * @param name of a Java method with its class ({@code dev.postern.app.cli.Main.main}), of a native function, a thread, or a class
 */
public record Frame(Kind kind, String name) {

    /** Whose code it is. */
    public enum Kind {
        /** The name of a thread, which is the first frame of each stack. */
        THREAD,
        JAVA,
        /** The JVM itself, the C library, and other libraries. */
        NATIVE,
        KERNEL,
        /** The class of what was allocated or waited for, which is the last frame of such a stack. */
        TYPE
    }

    /** The class of a Java method; of any other frame its name. */
    public String className() {
        int dot = name.lastIndexOf('.');
        return kind == Kind.JAVA && dot > 0 ? name.substring(0, dot) : name;
    }
}
