package dev.postern.core.config;

/** Kind of the file that a key names; selects the checks of the reader. The content is checked by the code that uses it. */
public enum FileKind {
    /** The key names no file. */
    NONE,

    /** A file that can be read. */
    READABLE,

    /** A file that can be read where the value begins with {@code @}; other values name none. */
    AT,

    /** A file that can be read, and that other users can neither write nor, with a warning, read. */
    SECRET,

    /** A folder that can be written, or made. */
    FOLDER,

    /** A file or folder that only the code that uses it checks. */
    PATH
}
