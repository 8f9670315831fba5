package dev.postern.app.admin;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of a server that gives each request one until it is read: as many as there are requests, up to a bound. A few would be held by a few
 * connections that say half a request, and the next probe would wait behind them.
 */
final class AdminThreads {

    private static final int MOST = 64;
    private static final long IDLE_SECONDS = 10;

    private AdminThreads() {}

    static ExecutorService named(String name) {
        return new ThreadPoolExecutor(
                1,
                MOST,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DefaultThreadFactory(name, true));
    }
}
