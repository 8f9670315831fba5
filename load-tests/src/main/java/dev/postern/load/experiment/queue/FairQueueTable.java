package dev.postern.load.experiment.queue;

import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Fair queue table: the results with goals and verdicts.
 *
 * @param requests of each client of the ancestor's experiment
 */
record FairQueueTable(Results results, int requests) {
    /** Share of the requests of the admitted sessions that has to be served: 4,900 of 5,000. */
    private static final double SERVED = 0.98;

    private static final int MAX_WHOLE_WITHOUT = 2;
    private static final double MIN_TAU = 0.99;

    Table table() {
        Table table = new Table();
        results.impatient().forEach(served -> impatient(table, served));
        results.polite()
                .forEach(served -> table.verdict(
                        "polite clients, " + served.variant().title() + ": responses 200",
                        served.toString(),
                        "all %,d".formatted(served.all()),
                        served.atLeast(served.all())));
        results.pages().forEach(pages -> pages(table, pages));
        Variant.queues().forEach(variant -> bound(table, variant));
        results.admissions().forEach(admissions -> order(table, admissions));
        seconds(table);
        return table;
    }

    private void impatient(Table table, Served served) {
        String figure = served.variant().title() + ": responses 200";
        if (served.variant().queue()) {
            long goal = Math.round(SERVED * Room.ACTIVE * requests);
            table.verdict(figure, served.toString(), ">= %,d".formatted(goal), served.atLeast(goal));
        } else {
            table.note(figure, served);
        }
    }

    private static void pages(Table table, PageCount pages) {
        String figure = pages.variant().title() + ": whole pages";
        if (pages.variant().queue()) {
            table.verdict(figure, pages.toString(), "all " + pages.all(), pages.complete());
        } else {
            table.verdict(figure, pages.toString(), "<= " + MAX_WHOLE_WITHOUT, pages.whole() <= MAX_WHOLE_WITHOUT);
        }
    }

    private void bound(Table table, Variant variant) {
        List<Sessions> all = results.sessions().stream()
                .filter(sessions -> sessions.room().variant() == variant)
                .toList();
        int peak = all.stream().mapToInt(Sessions::peak).max().orElse(0);
        String each = all.stream()
                .map(sessions -> sessions.room().load().name().toLowerCase(Locale.ROOT) + " " + sessions.peak())
                .collect(Collectors.joining(", "));
        table.verdict(
                variant.title() + ": admitted sessions at once",
                peak + " (" + each + ")",
                "<= " + Room.ACTIVE,
                peak > 1 && peak <= Room.ACTIVE);
    }

    private static void order(Table table, Admissions admissions) {
        String title = admissions.variant().title();
        double tau = admissions.tau();
        int admitted = admissions.order().size();
        table.verdict(
                title + ": arrivals admitted",
                admitted + " of " + admissions.visitors(),
                "all " + admissions.visitors(),
                admitted == admissions.visitors());
        table.verdict(
                title + ": Kendall's tau of arrival and admission",
                String.format(Locale.ROOT, "%.4f", tau),
                ">= " + MIN_TAU,
                tau >= MIN_TAU);
        table.note(title + ": later visitors before a visitor, at most", admissions.overtakers());
    }

    private void seconds(Table table) {
        results.impatient().forEach(served -> seconds(table, served.variant(), Load.IMPATIENT, served.seconds()));
        results.polite().forEach(served -> seconds(table, served.variant(), Load.POLITE, served.seconds()));
        results.pages().forEach(pages -> seconds(table, pages.variant(), Load.BROWSERS, pages.seconds()));
    }

    private static void seconds(Table table, Variant variant, Load load, double seconds) {
        table.note(variant.title() + ": seconds, " + load.name().toLowerCase(Locale.ROOT), Spread.number(seconds));
    }
}
