package dev.postern.app.cli;

import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.mapping.AdmissionMapping;
import dev.postern.ratelimit.rehearsal.Crowd;
import dev.postern.ratelimit.rehearsal.Outcome;
import dev.postern.ratelimit.rehearsal.Rehearsal;
import dev.postern.ratelimit.store.RateLimitRule;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays an opening with a configured room, and says how long people wait. */
@Command(
        name = "rehearse",
        description = {
            "Plays an opening on a virtual clock: a crowd comes to a room of the configuration, by the room's own"
                    + " rules.",
            "Prints how long people wait. Nothing is started and nobody is asked."
        },
        footer = {
            "  postern rehearse -c gateway.yaml --people 200000",
            "  postern rehearse --people 5000 --over 10m --stay 2m --set rate-limits.0.fair-queue.active-sessions=200"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class RehearseCommand implements Callable<Integer> {

    private static final List<Double> PERCENTILES = List.of(10.0, 50.0, 90.0, 99.0, 100.0);
    private static final int WIDTH = 48;
    private static final long QUIET_NANOS = Duration.ofSeconds(2).toNanos();

    @Mixin
    private ConfigSource source;

    @Spec
    private CommandSpec spec;

    @Option(names = "--people", required = true, paramLabel = "N", description = "How many come.")
    private int people;

    @Option(
            names = "--over",
            defaultValue = "1m",
            description = "The time within which they come; default: ${DEFAULT-VALUE}.")
    private String over = "1m";

    @Option(
            names = "--stay",
            defaultValue = "3m",
            description = "How long one uses the site, on average; default: ${DEFAULT-VALUE}.")
    private String stay = "3m";

    @Option(
            names = "--leaving",
            defaultValue = "10",
            paramLabel = "PERCENT",
            description = "How many of those who wait close the page; default: ${DEFAULT-VALUE}.")
    private double leaving = 10;

    @Option(
            names = "--within",
            defaultValue = "12h",
            description = "When the play is over whoever still waits; default: ${DEFAULT-VALUE}.")
    private String within = "12h";

    @Option(names = "--room", paramLabel = "NAME", description = "The rate limit whose room it is; default: the first.")
    private @Nullable String room;

    @Option(names = "--seed", defaultValue = "1", description = "Another seed, another day; default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        LoadedConfig config = source.load();
        if (!config.good()) {
            config.problems().forEach(spec.commandLine().getErr()::println);
            return 1;
        }
        RateLimitRule rule = limit(new AdmissionMapping(config.config(), config.base())
                .rateLimits()
                .limits());
        Crowd crowd =
                new Crowd(people, micros("--over", over), Math.max(1, micros("--stay", stay)), leaving / 100, seed);
        long most = micros("--within", within);
        Outcome outcome = new Rehearsal(rule.rules().opened(), crowd).play(most, progress(most));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(numbers(outcome)));
        } else {
            print(out, rule, outcome);
        }
        return 0;
    }

    private RateLimitRule limit(List<RateLimitRule> limits) {
        return limits.stream()
                .filter(rule ->
                        rule.settings() != null && (room == null || rule.name().equals(room)))
                .findFirst()
                .orElseThrow(() -> new WrongArgument(
                        "--room: " + room + " (expected: a name in rate-limits that has a fair-queue)"));
    }

    private static long micros(String option, String text) {
        return OptionParsers.read(option, text, ConfigDuration::of).nanos() / 1_000;
    }

    private LongConsumer progress(long most) {
        PrintWriter err = spec.commandLine().getErr();
        long[] next = {System.nanoTime() + QUIET_NANOS};
        return now -> {
            if (System.nanoTime() - next[0] >= 0) {
                next[0] = System.nanoTime() + QUIET_NANOS;
                err.println("played " + time(now) + " of at most " + time(most));
                err.flush();
            }
        };
    }

    private static Map<String, Object> numbers(Outcome outcome) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("in", outcome.waits().length);
        numbers.put("in-without-pass", outcome.free());
        numbers.put("left", outcome.left());
        numbers.put("turned-away", outcome.full());
        numbers.put("still-waiting", outcome.waiting());
        numbers.put("seconds", seconds(outcome.end()));
        Map<String, Object> waits = new LinkedHashMap<>();
        PERCENTILES.forEach(p -> waits.put("p" + p.intValue(), seconds(outcome.percentile(p))));
        numbers.put("wait-seconds", waits);
        return numbers;
    }

    private void print(PrintWriter out, RateLimitRule rule, Outcome outcome) {
        out.printf(
                Locale.ROOT,
                "%,d people come within %s to room %s: %,d at once, passes of %s, %,d may wait%n",
                people,
                over,
                rule.name(),
                rule.rules().active(),
                time(rule.rules().pass()),
                rule.rules().most());
        out.printf(
                Locale.ROOT,
                "%,d get in, the last one after %s; %,d close the page, %,d find the line full, %,d still wait%n",
                outcome.waits().length,
                time(outcome.end()),
                outcome.left(),
                outcome.full(),
                outcome.waiting());
        out.println("of those who get in, so many waited no longer than");
        PERCENTILES.forEach(p -> out.printf(Locale.ROOT, "  %3.0f %%   %s%n", p, time(outcome.percentile(p))));
        chart(out, outcome);
    }

    private static void chart(PrintWriter out, Outcome outcome) {
        long most = outcome.samples().stream()
                .mapToLong(Outcome.Sample::waiting)
                .max()
                .orElse(0);
        if (most == 0) {
            return;
        }
        out.println("people in the line");
        for (Outcome.Sample sample : outcome.samples()) {
            int bar = (int) (sample.waiting() * WIDTH / most);
            out.printf(
                    Locale.ROOT,
                    "  %11s  %-" + WIDTH + "s %,d%n",
                    time(sample.at()),
                    "#".repeat(bar),
                    sample.waiting());
        }
    }

    private static double seconds(long micros) {
        return Math.round(micros / 1e5) / 10.0;
    }

    /** Such as {@code 1h 2m 3s}. */
    private static String time(long micros) {
        Duration time = Duration.ofMillis(micros / 1_000);
        String text = (time.toHours() > 0 ? time.toHours() + "h " : "")
                + (time.toMinutes() > 0 ? time.toMinutesPart() + "m " : "")
                + time.toSecondsPart() + "s";
        return text;
    }
}
