package dev.postern.app.context;

import java.util.List;

/** One layer of what surrounds the code. Called by one thread at a time, which it may keep for some milliseconds. */
@FunctionalInterface
public interface ContextSource {

    /** What is in force now, read back and never assumed. */
    List<ContextItem> items();
}
