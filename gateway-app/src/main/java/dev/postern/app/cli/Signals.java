package dev.postern.app.cli;

import dev.postern.core.transport.FailureText;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signal handlers of the process. */
final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private static final Map<String, Integer> ENDINGS = Map.of("INT", 2, "TERM", 15);
    private static final int ENDED_BY_SIGNAL = 128;

    private Signals() {}

    /** Action that ends a process in order. */
    @FunctionalInterface
    interface Ending {

        void run() throws InterruptedException;
    }

    /**
     * Ends the process in order and with exit code 0 at the first SIGINT or SIGTERM, and at once with 128 plus the signal's number at the
     * second.
     *
     * @param waiting describes what the process waits for before it ends
     * @param listener receives one line for operators, independent of the log level
     */
    static void onEnd(Supplier<String> waiting, Ending ending, Consumer<String> listener) {
        AtomicBoolean requested = new AtomicBoolean();
        ENDINGS.forEach((name, number) -> on(name, () -> {
            if (requested.getAndSet(true)) {
                listener.accept("postern: SIG" + name + " again: ends at once");
                Runtime.getRuntime().halt(ENDED_BY_SIGNAL + number);
            }
            listener.accept("postern: SIG" + name + ": " + waiting.get() + "; a second signal ends it at once");
            try {
                ending.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            System.exit(0); // a requested end is not a failure
        }));
    }

    /** Ignores SIGHUP while the gateway starts: the default action of SIGHUP would end the JVM. */
    static void ignoreHangUp() {
        onHangUp(
                () -> LOG.warn("SIGHUP: ignored while the gateway starts; the configuration is the one that was read"));
    }

    /** Runs the action for each SIGHUP. */
    static void onHangUp(Runnable action) {
        on("HUP", action);
    }

    /** Handles a signal, on a thread of its own. Uses reflection because javac warns about any direct use of sun.misc.Signal. */
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
            LOG.info("SIG{} can't be caught here: {}", name, FailureText.of(e));
        }
    }
}
