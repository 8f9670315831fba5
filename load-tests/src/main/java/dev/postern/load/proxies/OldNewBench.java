package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Launcher;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.Started;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the CPU time per request of this build of the gateway beside another build, in alternating turns, paired round by round. */
@Command(
        name = "old-new",
        description =
                "CPU time per request of this build beside an old one; missed when the whole 95 %% interval of the"
                        + " median ratio lies above the goal.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class OldNewBench implements Callable<Integer> {
    private static final Duration BUILD_TIME = Duration.ofMinutes(10);
    private static final int BODY = 128;
    private static final int ROUNDS_OF_SPEND = 10;

    /** Subject of the measurement. */
    enum Subject {
        PROXY("128 B over kept connections, tokens off"),
        SPEND("redemptions of tokens over memcached"),
        ROOM("requests of admitted sessions, fair queue in Redis");

        private final String title;

        Subject(String title) {
            this.title = title;
        }
    }

    @Option(
            names = "--old",
            required = true,
            paramLabel = "JAR|DIR",
            description = "The old build: a checkout of the project, a folder with postern.jar and lib, or that jar.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls.
    Path old;

    @Option(names = "--of", description = "Which requests: ${COMPLETION-CANDIDATES}.")
    Subject subject = Subject.PROXY;

    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 20;

    @Option(names = "--seconds", description = "Length of each build's turn.")
    int seconds = 5;

    @Option(names = "--warm-up", description = "Seconds of load on each build before its first round.")
    int warmUp = 10;

    @Option(
            names = "--rounds-per-start",
            description =
                    "After so many rounds both builds are started anew, since what the compiler made of one start is"
                            + " no property of a build; 1 by default, and 10 of spend, where each start mints tokens.")
    @Nullable
    Integer roundsPerStart;

    @Option(names = "--connections", description = "Connections of the driver of proxy.")
    int connections = 64;

    @Option(names = "--goal", description = "The new build's CPU time per request, as a multiple of the old one's.")
    double goal = 1.02;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls.
    CommandSpec spec;

    @Override
    public Integer call() {
        List<Build> builds = List.of(new Build(Growth.OLD, oldLauncher()), new Build(Growth.NEW, Launcher.own()));
        builds.forEach(Build::prepare);
        Pace pace = new Pace(rounds, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp));
        Alternation alternation = new Alternation("old-new", pace);
        while (!alternation.over()) {
            start(builds, pace, alternation);
        }
        Report report = report(alternation);
        System.out.println(report);
        return report.missed() ? 1 : 0;
    }

    private Launcher oldLauncher() {
        try {
            return Launcher.of(old);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--old: " + e.getMessage(), e);
        }
    }

    private record Build(String name, Launcher launcher) {
        /**
         * Runs the launcher once before the first round, because the launcher of a checkout builds outdated classes at
         * its first call.
         */
        void prepare() {
            Progress.say(name + ": " + String.join(" ", launcher.command()));
            Postern.call(RunFolder.create("old-new-version"), name, BUILD_TIME, launcher, "--version");
        }
    }

    /** Starts both builds and takes the rounds of that start. */
    private void start(List<Build> builds, Pace pace, Alternation alternation) {
        int count = Math.min(pace.rounds(), roundsPerStart());
        try (Started started = new Started()) {
            List<? extends Contender> contenders = switch (subject) {
                case PROXY -> proxies(builds, started);
                case SPEND -> spends(builds, started, new Pace(count, pace.turn(), pace.warmUp()));
                case ROOM -> rooms(builds, started);
            };
            contenders.forEach(contender -> contender.warmUp(pace.warmUp()));
            alternation.take(contenders, count);
        }
    }

    private List<PeerContender> proxies(List<Build> builds, Started started) {
        RunFolder folder = RunFolder.create("old-new-proxy");
        Progress.say("starting both builds; configurations and logs: " + folder + "; leak detection is off");
        Nginx origin = started.add(Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
        return builds.stream()
                .map(build -> started.add(Peer.postern(build.name, folder, origin.port(), build.launcher)))
                .map(peer -> new PeerContender(peer, Load.http1(connections)))
                .toList();
    }

    private static List<PacedContender> spends(List<Build> builds, Started started, Pace pace) {
        return builds.stream()
                .map(build -> started.add(PacedContender.redeeming(build.name, build.launcher, pace)))
                .toList();
    }

    private static List<PacedContender> rooms(List<Build> builds, Started started) {
        return builds.stream()
                .map(build -> started.add(PacedContender.queueing(build.name, build.launcher)))
                .toList();
    }

    private int roundsPerStart() {
        return roundsPerStart != null ? roundsPerStart : subject == Subject.SPEND ? ROUNDS_OF_SPEND : 1;
    }

    private Report report(Alternation alternation) {
        Rounds taken = alternation.rounds();
        Report report = new Report("Old build and new, " + subject.title);
        for (String name : List.of(Growth.OLD, Growth.NEW)) {
            report.note(name + ", CPU us per request", taken.of(name, Turn::cpuMicros));
            report.note(name + ", requests per second", taken.of(name, Turn::perSecond));
        }
        report.growth("CPU per request, new / old (paired)", Growth.of(taken, goal));
        if (alternation.discarded() > 0) {
            report.note("rounds with errors, taken again", alternation.discarded());
        }
        return report;
    }
}
