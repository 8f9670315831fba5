package dev.postern.load.dribble;

import dev.postern.load.crowd.Crowd;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what a byte costs in tiny pieces and in each kind of frame, and what honest clients notice of it. */
@Command(
        name = "dribble",
        description =
                "CPU time per byte of chunks, frames, records and capsules of one byte or none, beside pieces of 16 KiB"
                        + " and refused requests; honest requests and probes meanwhile.")
public final class DribbleBench implements Callable<Integer> {
    private static final int CONNECTIONS = 4;
    private static final double HONEST_RATE = 2e6;
    private static final long RECONNECT_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    /** Measured length of each turn, in milliseconds. */
    private static final int MILLIS = 800;

    /** Length of each turn before that: the gateway's code is compiled anew. */
    private static final int LEAD_MILLIS = 1_000;

    @Option(names = "--rounds", description = "Rounds that count, after one that warms up.")
    int rounds = 3;

    @Option(names = "--only", description = "Takes only inputs whose name contains this, and their standards.")
    String only = "";

    private final Map<String, List<Double>> nanos = new HashMap<>();
    private final Map<String, Honest.Result> honest = new HashMap<>();

    @Override
    public Integer call() {
        List<Input> inputs = chosen(Inputs.all());
        try (RunFolder folder = RunFolder.create("dribble")) {
            DribbleSite site = new DribbleSite(folder);
            for (int round = 0; round <= rounds; round++) {
                for (Input input : inputs) {
                    double cost = cost(site, input);
                    if (round > 0) {
                        nanos.computeIfAbsent(input.name(), name -> new ArrayList<>())
                                .add(cost);
                    }
                }
                Progress.say(round == 0 ? "warmed up" : "round %d of %d".formatted(round, rounds));
            }
            for (Input input : inputs) {
                honest.put(input.name(), beside(site, input));
            }
        }
        return table(inputs).print();
    }

    private List<Input> chosen(List<Input> all) {
        List<Input> named =
                all.stream().filter(input -> input.name().contains(only)).toList();
        return all.stream()
                .filter(input -> named.contains(input)
                        || named.stream().anyMatch(other -> other.standard().equals(input.name())))
                .toList();
    }

    /** Returns the nanoseconds of CPU time for each byte; as many bytes are on their way at the beginning as at the end. */
    private double cost(DribbleSite site, Input input) {
        Pace pace = new Pace(0);
        List<Thread> senders = send(site, input, pace);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LEAD_MILLIS));
        Duration cpu = site.gateway().cpu();
        long bytes = pace.bytes();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(MILLIS));
        cpu = site.gateway().cpu().minus(cpu);
        bytes = pace.bytes() - bytes;
        end(site, senders, pace);
        double cost = (double) cpu.toNanos() / bytes;
        Progress.say(String.format(Locale.ROOT, "%s: %.1f ns a byte, %,d bytes", input.name(), cost, bytes));
        return cost;
    }

    /** Sends the input slowly while honest clients send requests. */
    private Honest.Result beside(DribbleSite site, Input input) {
        Pace pace = new Pace(HONEST_RATE);
        List<Thread> senders = send(site, input, pace);
        Thread clock = site.start(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2L * MILLIS));
            pace.end();
        });
        Honest.Result result = new Honest(site).send(pace);
        Honest.join(clock);
        end(site, senders, pace);
        return result;
    }

    private static List<Thread> send(DribbleSite site, Input input, Pace pace) {
        site.respond(Responses.http1("-", new byte[1]), pace);
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            senders.add(site.start(() -> repeat(site, input, pace)));
        }
        return senders;
    }

    /** Opens another connection when the gateway has closed one. */
    private static void repeat(DribbleSite site, Input input, Pace pace) {
        while (!pace.isOver()) {
            try {
                input.sender().send(site, pace);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Exception e) {
                LockSupport.parkNanos(RECONNECT_PAUSE);
            }
        }
    }

    /** Ends a turn, and waits until the gateway has finished its work. */
    private static void end(DribbleSite site, List<Thread> senders, Pace pace) {
        pace.end();
        for (Thread sender : senders) {
            Honest.join(sender);
        }
        site.gateway().awaitQuiet();
    }

    private Table table(List<Input> inputs) {
        Table table = new Table();
        for (Input input : inputs) {
            List<Double> own = nanos.getOrDefault(input.name(), List.of());
            table.note(input.name() + ": ns a byte", Spread.of(own));
            if (!input.standard().isEmpty()) {
                List<Double> standard = nanos.getOrDefault(input.standard(), List.of());
                List<Double> ratios = new ArrayList<>();
                for (int i = 0; i < own.size(); i++) {
                    ratios.add(own.get(i) / standard.get(i));
                }
                table.goal(input.name() + " / " + input.standard(), Spread.of(ratios), Goal.atMost(input.most()));
            }
            Honest.Result result = honest.getOrDefault(input.name(), new Honest.Result(0, 1));
            table.none(
                    "%s, 2 MB/s: of %d honest requests and probes failed".formatted(input.name(), result.requests()),
                    result.failed());
        }
        return table;
    }

    /** Honest clients: one that requests a page, and one that asks whether the gateway lives. */
    private static final class Honest {
        private static final Duration PATIENCE = Duration.ofSeconds(2);
        private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

        private final HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final List<URI> pages;

        Honest(DribbleSite site) {
            this.pages = List.of(
                    URI.create("http://127.0.0.1:" + site.port() + "/app/ok"),
                    URI.create("http://127.0.0.1:" + site.adminPort() + "/livez"));
        }

        /** Requests and their failures. */
        record Result(int requests, int failed) {}

        /** Sends requests until the turn is over. */
        Result send(Pace pace) {
            AtomicInteger requests = new AtomicInteger();
            AtomicInteger failed = new AtomicInteger();
            Crowd.run(pages.size(), number -> () -> {
                while (!pace.isOver()) {
                    requests.incrementAndGet();
                    if (!succeeds(pages.get(number))) {
                        failed.incrementAndGet();
                    }
                    LockSupport.parkNanos(PAUSE);
                }
            });
            return new Result(requests.get(), failed.get());
        }

        private boolean succeeds(URI page) {
            try {
                HttpRequest request =
                        HttpRequest.newBuilder(page).timeout(PATIENCE).build();
                return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        static void join(Thread thread) {
            Unchecked.run(() -> thread.join());
        }
    }
}
