package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Arrivals;
import dev.postern.load.crowd.Browsers;
import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.Crowd;
import dev.postern.load.experiment.Evidence;
import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Ticker;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Experiment {@code fair-queue}: the load of ngx-smart-ratelimit, browsers, and visitors in a known order, at nginx, at
 * the limit of the gateway alone and at its fair queue, in memory and in Redis with two gateways. The counters of the
 * origins decide.
 */
@Command(
        name = "fair-queue",
        description = "Served requests, whole pages and order of admission: rate limit alone against fair queue.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class FairQueue implements Callable<Integer> {
    private static final String NAME = "fair-queue";
    private static final int CLIENTS = 10;
    private static final int ASSETS = 20;
    private static final CookieClients.Size WARM_UP = new CookieClients.Size(CLIENTS, 40);

    @Option(names = "--requests", description = "Requests of each of the 10 clients.")
    private int requests = 1000;

    @Option(names = "--browsers", description = "Browsers that want pages of 21 requests.")
    private int browsers = 20;

    @Option(names = "--pages", description = "Pages of each browser.")
    private int pages = 3;

    @Option(names = "--visitors", description = "Visitors that arrive in a known order.")
    private int visitors = 300;

    @Option(names = "--stay", description = "Requests of each of these visitors.")
    private int stay = 8;

    private FairQueue() {}

    @Override
    public Integer call() {
        Browsers.Size size = new Browsers.Size(browsers, pages, ASSETS);
        RunFolder folder = RunFolder.create(NAME);
        try (FairQueueSite site = new FairQueueSite(folder, size.parts())) {
            together(site, requests(site, Load.WARM_UP, Variant.queues(), WARM_UP));
            Results results = measure(site, size);
            String command = "load-tests/experiments/" + NAME + options();
            return new Evidence(
                            NAME,
                            command,
                            new FairQueueTable(results, requests).table(),
                            data(results),
                            new FairQueueCharts(results).charts())
                    .publish();
        }
    }

    private Results measure(FairQueueSite site, Browsers.Size size) {
        CookieClients.Size clients = new CookieClients.Size(CLIENTS, requests);
        List<RequestTrial> impatient = new ArrayList<>();
        for (Variant variant : Variant.limits()) {
            impatient.addAll(together(site, requests(site, Load.IMPATIENT, List.of(variant), clients)));
        }
        List<RequestTrial> queued = together(site, requests(site, Load.IMPATIENT, Variant.queues(), clients));
        impatient.addAll(queued);
        List<RequestTrial> polite = requests(site, Load.POLITE, Variant.queues(), clients);
        List<ArrivalTrial> arrivals = Variant.queues().stream()
                .map(variant ->
                        new ArrivalTrial(site, new Room(Load.ARRIVALS, variant), new Arrivals.Size(visitors, stay)))
                .toList();
        List<Trial> both = new ArrayList<>(polite);
        both.addAll(arrivals);
        together(site, both);
        List<PageTrial> loaded = new ArrayList<>(together(site, pages(site, Variant.limits(), size)));
        List<PageTrial> whole = together(site, pages(site, Variant.queues(), size));
        loaded.addAll(whole);
        List<Trial> atQueues = new ArrayList<>(queued);
        atQueues.addAll(both);
        atQueues.addAll(whole);
        return new Results(
                impatient.stream().map(RequestTrial::served).toList(),
                polite.stream().map(RequestTrial::served).toList(),
                loaded.stream().map(PageTrial::pages).toList(),
                arrivals.stream().map(ArrivalTrial::admissions).toList(),
                atQueues.stream().map(trial -> Trial.sessions(site, trial)).toList());
    }

    private static List<RequestTrial> requests(
            FairQueueSite site, Load load, List<Variant> variants, CookieClients.Size size) {
        return variants.stream()
                .map(variant -> new RequestTrial(site, new Room(load, variant), size))
                .toList();
    }

    private static List<PageTrial> pages(FairQueueSite site, List<Variant> variants, Browsers.Size size) {
        return variants.stream()
                .map(variant -> new PageTrial(site, new Room(Load.BROWSERS, variant), size))
                .toList();
    }

    /** Runs the trials at the same time; each has a room of its own. */
    private static <T extends Trial> List<T> together(FairQueueSite site, List<T> trials) {
        trials.forEach(trial -> site.prepare(trial.room()));
        Progress.say(trials.stream().map(trial -> trial.room().name()).collect(Collectors.joining(" | ")));
        Ticker ticker = new Ticker(() -> trials.stream().map(Trial::progress).collect(Collectors.joining(" | ")));
        try (ticker) {
            Crowd.run(trials.size(), number -> trials.get(number)::run);
        }
        return trials;
    }

    private String options() {
        FairQueue usual = new FairQueue();
        StringBuilder options = new StringBuilder();
        option(options, "--requests", requests, usual.requests);
        option(options, "--browsers", browsers, usual.browsers);
        option(options, "--pages", pages, usual.pages);
        option(options, "--visitors", visitors, usual.visitors);
        option(options, "--stay", stay, usual.stay);
        return options.toString();
    }

    private static void option(StringBuilder options, String name, int value, int usual) {
        if (value != usual) {
            options.append(' ').append(name).append(' ').append(value);
        }
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
