package dev.postern.load.proxies;

import dev.postern.load.measure.LoadRun;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.ThreadTimes;
import dev.postern.load.measure.Wrk;
import dev.postern.load.server.ServerProcess;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Server contender: servers under the load of their clients. Their CPU time is that of all threads but the JIT compilers,
 * user and kernel, exact to the nanosecond. What the compilers still do after the warm-up is no part of a request.
 *
 * @param servers whose CPU time together counts as that of a request
 * @param warming puts load on servers that have just started, for about the given time; failed requests are ignored
 * @param requests sends requests for about the given time; fails if a response was not good
 */
public record ServerContender(
        String name, List<ServerProcess> servers, Consumer<Duration> warming, Function<Duration, LoadRun> requests)
        implements Contender {
    /** Requests of wrk in a warm-up, at least. */
    private static final int WARM_UP = 50_000;

    private static final int MAX_WARM_UP = 30;

    /**
     * Returns servers under requests of wrk.
     *
     * @param fields of each request, such as {@code Cookie: a=b}
     */
    public static ServerContender underWrk(
            String name, List<ServerProcess> servers, URI uri, int connections, String... fields) {
        Function<Duration, LoadRun> requests = length -> Wrk.run(uri, connections, length, fields);
        return new ServerContender(name, servers, length -> warmUp(requests, length), requests);
    }

    /** Lasts longer on a busy machine, where the time alone is too short for the JIT compilers. */
    private static void warmUp(Function<Duration, LoadRun> requests, Duration length) {
        long served = 0;
        for (int second = 0; second < length.toSeconds() || served < WARM_UP && second < MAX_WARM_UP; second++) {
            served += served(requests);
        }
    }

    /** Returns the requests served in a second; 0 if a response was not good, as a cold server's may be. */
    private static long served(Function<Duration, LoadRun> requests) {
        try {
            return requests.apply(Duration.ofSeconds(1)).requests();
        } catch (IllegalStateException e) {
            return 0;
        }
    }

    @Override
    public void warmUp(Duration length) {
        Progress.say("warming up " + name + ", " + length.toSeconds() + " s");
        warming.accept(length);
        awaitQuiet();
    }

    @Override
    public Turn turn(Duration length) {
        List<ThreadTimes> before = times();
        long start = System.nanoTime();
        LoadRun served = requests.apply(length);
        double seconds = (System.nanoTime() - start) / 1e9;
        List<ThreadTimes> after = times();
        Duration used = Duration.ZERO;
        for (int i = 0; i < servers.size(); i++) {
            used = used.plus(after.get(i).minus(before.get(i)).work());
        }
        return new Turn(
                used.toNanos() / 1e3 / served.requests(), served.requests() / seconds, served.typical(), served.tail());
    }

    private List<ThreadTimes> times() {
        return servers.stream().map(server -> ThreadTimes.of(server.pid())).toList();
    }

    @Override
    public void awaitQuiet() {
        servers.forEach(ServerProcess::awaitQuiet);
    }
}
