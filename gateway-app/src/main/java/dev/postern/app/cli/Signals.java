package dev.postern.app.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the process does about signals. */
final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private static final Map<String, Integer> ENDINGS = Map.of("INT", 2, "TERM", 15);
    private static final int ENDED_BY_SIGNAL = 128;

    private Signals() {}

    /** Something that ends a process in good order. */
    @FunctionalInterface
    interface Ending {

        void run() throws InterruptedException;
    }

    /**
     * Ends the process in good order and with exit code 0 at the first SIGINT or SIGTERM, and at once with 128 and the signal's number at the
     * second one.
     *
     * @param waiting tells what the ending waits for
     * @param listener takes one line for people: unlike the log, at every level of it
     */
    static void onEnd(Supplier<String> waiting, Ending ending, Consumer<String> listener) {
        AtomicBoolean asked = new AtomicBoolean();
        ENDINGS.forEach((name, number) -> on(name, () -> {
            if (asked.getAndSet(true)) {
                listener.accept("postern: SIG" + name + " again: ends at once");
                Runtime.getRuntime().halt(ENDED_BY_SIGNAL + number);
            }
            listener.accept("postern: SIG" + name + ": " + waiting.get() + "; a second signal ends it at once");
            try {
                ending.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            System.exit(0); // to end when asked to is no failure
        }));
    }

    /** SIGHUP would end the JVM; who is still starting does nothing about it. */
    static void ignoreHangUp() {
        onHangUp(() ->
                LOG.warn("SIGHUP: not taken, since the gateway starts; the configuration is the one that was read"));
    }

    /** Runs for each SIGHUP. */
    static void onHangUp(Runnable action) {
        on("HUP", action);
    }

    /** By reflection, since the compiler has nothing but a warning for sun.misc.Signal. Each signal has a thread of its own. */
    private static void on(String name, Runnable action) {
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
            Object caught = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, caught, ours);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            LOG.info("SIG{} can't be caught here: {}", name, String.valueOf(cause));
        }
    }
}
