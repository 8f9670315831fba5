package dev.postern.load.jmh;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Loop threads for a JMH benchmark: Netty threads, whose thread-local variables are found without a search, as on an
 * event loop.
 */
public final class LoopThreads extends ThreadPoolExecutor {

    /** The constructor that JMH calls. */
    public LoopThreads(int max, String prefix) {
        super(max, max, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DefaultThreadFactory(prefix, true));
    }
}
