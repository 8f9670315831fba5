package dev.postern.app.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the process does about signals. */
final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /** Something that ends a process in good order. */
    @FunctionalInterface
    interface Ending {

        void run() throws InterruptedException;
    }

    /** Runs when the process is asked to end (SIGTERM, SIGINT), and then ends it with exit code 0. */
    static void onEnd(Ending ending) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                ending.run();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            // To end when asked to is no failure; the JVM alone would say 143.
                            Runtime.getRuntime().halt(0);
                        },
                        "postern-end"));
    }

    /** SIGHUP would end the JVM; who is still starting does nothing about it. */
    static void ignoreHangUp() {
        onHangUp(() ->
                LOG.warn("SIGHUP: not taken, since the gateway starts; the configuration is the one that was read"));
    }

    /** Runs for each SIGHUP. By reflection, since the compiler has nothing but a warning for sun.misc.Signal. */
    static void onHangUp(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours =
                    Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (p, method, args) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            Object hangUp = signal.getConstructor(String.class).newInstance("HUP");
            signal.getMethod("handle", signal, handler).invoke(null, hangUp, ours);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            LOG.info("SIGHUP can't be caught here: {}", String.valueOf(cause));
        }
    }
}
