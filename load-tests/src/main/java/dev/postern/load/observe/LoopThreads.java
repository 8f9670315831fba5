package dev.postern.load.observe;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads as event loops have them, for JMH: what each of them owns it finds without a search. */
public final class LoopThreads extends ThreadPoolExecutor {

    /** As JMH calls it. */
    public LoopThreads(int most, String prefix) {
        super(most, most, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DefaultThreadFactory(prefix, true));
    }
}
