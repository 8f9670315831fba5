package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Launcher;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.Started;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;

/** The gateway of a whole site behind tokens, under redemptions at a fixed rate, each with a token of its own that was minted before. */
final class TokenContender implements Contender, AutoCloseable {
    private static final String CLIENT = "spymemcached";
    private static final int RATE = 1_000;
    private static final double MAX_FAILED = 0.001;

    private final Started started = new Started();
    private final String name;
    private final TokenSite site;
    private final Worker visitors;

    /** @param pace of all turns that one start of the site is asked for */
    TokenContender(String name, Launcher launcher, Pace pace) {
        this.name = name;
        RunFolder folder = RunFolder.create("old-new-spend-" + name);
        try {
            site = started.add(TokenSite.startPinned(folder, CLIENT, launcher));
            int turns = pace.rounds() + Alternation.mostVoid(pace.rounds()) + 1;
            Path tokens = site.mint(calls(pace.warmUp()) + turns * calls(pace.turn()));
            visitors = started.add(Worker.start(
                    folder, Cores.LOAD, RedeemWorker.class, String.valueOf(site.port()), tokens.toString()));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void warmUp(Duration length) {
        Progress.say("warming up " + name + ", " + 2 * length.toSeconds() + " s");
        visitors.ask("open " + RATE + " " + calls(length));
        visitors.ask("token " + RATE + " " + calls(length));
    }

    @Override
    public Turn turn(Duration length) {
        int calls = calls(length);
        Duration before = site.gateway().cpu();
        Latencies latencies = Latencies.parse(visitors.ask("token " + RATE + " " + calls));
        Duration used = site.gateway().cpu().minus(before);
        if (latencies.failed() > calls * MAX_FAILED) {
            throw new IllegalStateException(
                    name + ": " + latencies.failed() + " of " + calls + " redemptions failed (expected: hardly any)");
        }
        return new Turn(used.toNanos() / 1e3 / calls, (double) calls / length.toSeconds(), latencies.dueP50());
    }

    @Override
    public void awaitQuiet() {
        site.gateway().awaitQuiet();
    }

    private static int calls(Duration length) {
        return Math.toIntExact(RATE * length.toSeconds());
    }

    @Override
    public void close() {
        started.close();
    }
}
