package dev.postern.app.admin;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for endpoints that block: as many as such requests are in progress, up to a bound. */
final class AdminThreads {

    private static final int MAX = AdminListener.MAX_CONNECTIONS;
    private static final long IDLE_SECONDS = 10;

    private AdminThreads() {}

    static ExecutorService named(String name) {
        return new ThreadPoolExecutor(
                1, MAX, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), new DefaultThreadFactory(name, true));
    }
}
