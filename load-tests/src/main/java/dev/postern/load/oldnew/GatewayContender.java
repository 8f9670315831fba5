package dev.postern.load.oldnew;

import dev.postern.load.measure.LoadRun;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.ThreadTimes;
import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.Turn;
import dev.postern.load.server.ServerProcess;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Gateway contender: the gateway of a build, under the load of its clients. Its CPU time is that of all its threads but
 * the JIT compilers, user and kernel, exact to the nanosecond. What the compilers still do after the warm-up is no part
 * of a request.
 *
 * @param warming puts load on a gateway that has just started, for about the given time; failed requests are ignored
 * @param requests sends requests for about the given time; fails if a response was not good
 */
record GatewayContender(
        String name, ServerProcess gateway, Consumer<Duration> warming, Function<Duration, LoadRun> requests)
        implements Contender {
    @Override
    public void warmUp(Duration length) {
        Progress.say("warming up " + name + ", " + length.toSeconds() + " s");
        warming.accept(length);
        awaitQuiet();
    }

    @Override
    public Turn turn(Duration length) {
        ThreadTimes timesBefore = ThreadTimes.of(gateway.pid());
        long start = System.nanoTime();
        LoadRun served = requests.apply(length);
        double seconds = (System.nanoTime() - start) / 1e9;
        Duration used = ThreadTimes.of(gateway.pid()).minus(timesBefore).work();
        return new Turn(
                used.toNanos() / 1e3 / served.requests(), served.requests() / seconds, served.typical(), Double.NaN);
    }

    @Override
    public void awaitQuiet() {
        gateway.awaitQuiet();
    }
}
