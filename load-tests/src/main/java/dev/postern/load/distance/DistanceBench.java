package dev.postern.load.distance;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares the goodput of HTTP/2 with that of HTTP/1.1 over the same emulated link, in alternating transfers. */
@Command(
        name = "distance",
        description =
                "Goodput of HTTP/2 as a share of HTTP/1.1 over an emulated link: uploads and downloads of a"
                        + " distant client, and downloads from a distant upstream. Needs root, for network namespaces of its own.")
public final class DistanceBench implements Callable<Integer> {
    private static final Goal GOAL = Goal.atLeast(0.8);

    /** Milliseconds, each a distance. */
    private static final List<Integer> ROUND_TRIPS = List.of(25, 50, 100);

    /** Mbit/s of the link. */
    private static final int RATE = 200;

    /** MiB of a transfer. */
    private static final int SIZE = 48;

    @Option(names = "--rounds", description = "Transfers of each kind and protocol at each distance.")
    int rounds = 4;

    @Option(names = "--max-window", description = "http2.max-window; 64KiB: windows that do not grow.")
    String maxWindow = "4MiB";

    /** Mbit/s of one round. */
    private record Round(double http1, double http2) {
        double share() {
            return http2 / http1;
        }
    }

    /** Transfer over the link, by the protocol. */
    @FunctionalInterface
    private interface Transfer {
        double megabits(boolean http2);
    }

    @Override
    public Integer call() {
        Table table = new Table().note("link, Mbit/s", RATE).note("transfer, MiB", SIZE);
        try (RunFolder folder = RunFolder.create("distance")) {
            DistantSite site = new DistantSite(folder, SIZE << 20);
            site.start(maxWindow);
            for (int roundTrip : ROUND_TRIPS) {
                site.link(roundTrip, RATE);
                measure(table, "upload at " + roundTrip + " ms", site::upload);
                measure(table, "download at " + roundTrip + " ms", site::fetch);
                measure(table, "download from an upstream at " + roundTrip + " ms", site::download);
            }
        }
        return table.print();
    }

    private void measure(Table table, String figure, Transfer transfer) {
        List<Round> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            Progress.say("%s, round %d of %d", figure, round, rounds);
            all.add(round(transfer, round % 2 == 0));
        }
        table.of(all)
                .goal(figure + ", HTTP/2 / HTTP/1.1", Round::share, GOAL)
                .note(figure + ", HTTP/1.1, Mbit/s", Round::http1)
                .note(figure + ", HTTP/2, Mbit/s", Round::http2);
    }

    private static Round round(Transfer transfer, boolean http2First) {
        double first = transfer.megabits(http2First);
        double second = transfer.megabits(!http2First);
        return http2First ? new Round(second, first) : new Round(first, second);
    }
}
