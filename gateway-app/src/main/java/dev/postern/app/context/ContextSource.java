package dev.postern.app.context;

import java.util.List;

/** Source of the items of one layer of the hidden context. Called by one thread at a time; a call may block for some milliseconds. */
@FunctionalInterface
public interface ContextSource {

    /** Returns the values in force, read back and never assumed. */
    List<ContextItem> items();
}
