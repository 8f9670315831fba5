package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Arrivals;
import dev.postern.load.crowd.Browsers;
import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.Crowd;
import dev.postern.load.evidence.Evidence;
import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Progress.Ticker;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Experiment {@code fair-queue}: the load of ngx-smart-ratelimit, browsers, and visitors in a known order, at nginx, at
 * the limit of the gateway alone and at its fair queue, in memory and in Redis with two gateways. The counters of the
 * origins decide.
 */
@Command(
        name = "fair-queue",
        description = "Served requests, whole pages and order of admission: rate limit alone against fair queue.")
public final class FairQueue implements Callable<Integer> {
    private static final int CLIENTS = 10;
    private static final Browsers.Size BROWSERS = new Browsers.Size(20, 3, 20);
    /** Requests of each visitor that arrives in a known order. */
    private static final int STAY = 8;

    private static final CookieClients.Size WARM_UP = new CookieClients.Size(CLIENTS, 40);

    @Option(names = "--requests", description = "Requests of each of the 10 clients.")
    private int requests = 1000;

    @Option(names = "--visitors", description = "Visitors that arrive in a known order.")
    private int visitors = 300;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private FairQueue() {}

    @Override
    public Integer call() {
        try (RunFolder folder = RunFolder.create(spec.name())) {
            FairQueueSite site = new FairQueueSite(folder, BROWSERS.parts());
            together(each(Load.WARM_UP, Variant.queues(), room -> Trial.requests(site, room, WARM_UP)));
            Results results = measure(site);
            return Evidence.of(
                            spec,
                            new FairQueueTable(results, requests).table(),
                            data(results),
                            new FairQueueCharts(results).charts())
                    .publish();
        }
    }

    private Results measure(FairQueueSite site) {
        CookieClients.Size clients = new CookieClients.Size(CLIENTS, requests);
        Function<Room, Trial<Served>> requesting = room -> Trial.requests(site, room, clients);
        List<Trial<Served>> impatient = new ArrayList<>();
        for (Variant variant : Variant.limits()) {
            impatient.addAll(together(each(Load.IMPATIENT, List.of(variant), requesting)));
        }
        List<Trial<Served>> queued = together(each(Load.IMPATIENT, Variant.queues(), requesting));
        impatient.addAll(queued);
        List<Trial<Served>> polite = each(Load.POLITE, Variant.queues(), requesting);
        Arrivals.Size arriving = new Arrivals.Size(visitors, STAY);
        List<Trial<Admissions>> arrivals =
                each(Load.ARRIVALS, Variant.queues(), room -> Trial.arrivals(site, room, arriving));
        List<Trial<?>> both = new ArrayList<>(polite);
        both.addAll(arrivals);
        together(both);
        Function<Room, Trial<PageCount>> browsing = room -> Trial.pages(site, room, BROWSERS);
        List<Trial<PageCount>> loaded = new ArrayList<>(together(each(Load.BROWSERS, Variant.limits(), browsing)));
        List<Trial<PageCount>> whole = together(each(Load.BROWSERS, Variant.queues(), browsing));
        loaded.addAll(whole);
        List<Trial<?>> atQueues = new ArrayList<>(queued);
        atQueues.addAll(both);
        atQueues.addAll(whole);
        return new Results(
                impatient.stream().map(Trial::result).toList(),
                polite.stream().map(Trial::result).toList(),
                loaded.stream().map(Trial::result).toList(),
                arrivals.stream().map(Trial::result).toList(),
                atQueues.stream().map(Trial::sessions).toList());
    }

    private static <T> List<Trial<T>> each(Load load, List<Variant> variants, Function<Room, Trial<T>> trial) {
        return variants.stream()
                .map(variant -> trial.apply(new Room(load, variant)))
                .toList();
    }

    /** Runs the trials at the same time; each has a room of its own. */
    private static <T extends Trial<?>> List<T> together(List<T> trials) {
        trials.forEach(Trial::prepare);
        Progress.say(trials.stream().map(trial -> trial.room().name()).collect(Collectors.joining(" | ")));
        Ticker ticker = new Ticker(() -> trials.stream().map(Trial::progress).collect(Collectors.joining(" | ")));
        try (ticker) {
            Crowd.run(trials.size(), number -> trials.get(number)::run);
        }
        return trials;
    }

    private static Map<String, Object> data(Results results) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("impatient", results.impatient());
        data.put("polite", results.polite());
        data.put("pages", results.pages());
        data.put("admissions", results.admissions());
        Map<String, Object> sessions = new LinkedHashMap<>();
        for (Sessions seen : results.sessions()) {
            if (seen.room().load() == Load.POLITE) {
                sessions.put(seen.room().name(), seen.points());
            }
        }
        data.put("sessions", sessions);
        return data;
    }
}
