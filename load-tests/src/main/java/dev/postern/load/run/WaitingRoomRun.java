package dev.postern.load.run;

import dev.postern.load.crowd.Browsers;
import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.CookieClients.Manner;
import dev.postern.load.crowd.Crowd;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Ticker;
import dev.postern.load.run.RoomRule.Act;
import dev.postern.load.run.RoomRule.Engine;
import dev.postern.load.run.RoomRule.Form;
import dev.postern.load.run.RoomRule.Kind;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Waiting room run: the first ancestor's experiment and whole pages, with the fair queue and with the limit alone, on
 * both engines, judged by the origin's counters. Crowds of the same kind visit the two engines at the same time, each
 * with an origin of its own.
 */
record WaitingRoomRun(RunFolder folder, CookieClients.Size clients, Browsers.Size browsers) {
    private static final Duration PEER_AT_MOST = Duration.ofMinutes(2);

    static WaitingRoomRun of(RunFolder folder, Map<String, String> parameters) {
        return new WaitingRoomRun(
                folder,
                new CookieClients.Size(number(parameters, "clients", 10), number(parameters, "requests", 1000)),
                new Browsers.Size(
                        number(parameters, "browsers", 20),
                        number(parameters, "pages", 3),
                        number(parameters, "assets", 20)));
    }

    private static int number(Map<String, String> parameters, String name, int otherwise) {
        return Integer.parseInt(parameters.getOrDefault(name, String.valueOf(otherwise)));
    }

    Table run() {
        Progress.say(clients + ", " + browsers);
        try (RoomSite site = RoomSite.start(folder, browsers.parts())) {
            RoomTable table = new RoomTable(site, clients, browsers);
            together(cookies(site, Act.WARM_UP, Form.ADDRESS, Kind.LIMIT));
            Progress.say("nginx with the same limit");
            CookieClients peer = new CookieClients(site.peer().port(), RoomTable.PEER, clients);
            table.peer(peer.run(Manner.IMPATIENT, PEER_AT_MOST));
            List<Trial> done = new ArrayList<>();
            for (Form form : List.of(Form.ADDRESS, Form.SITE)) {
                for (Act act : List.of(Act.IMPATIENT, Act.POLITE)) {
                    done.addAll(together(cookies(site, act, form, Kind.LIMIT)));
                    done.addAll(together(cookies(site, act, form, Kind.QUEUE)));
                }
            }
            for (Form form : List.of(Form.ADDRESS, Form.PAGES)) {
                done.addAll(together(pages(site, form, Kind.LIMIT)));
                done.addAll(together(pages(site, form, Kind.QUEUE)));
            }
            done.forEach(trial -> trial.addTo(table));
            return table.table();
        }
    }

    private static List<Trial> together(List<Trial> trials) {
        Progress.say(trials.stream().map(Trial::title).collect(Collectors.joining(" | ")));
        Ticker ticker = new Ticker(() -> trials.stream().map(Trial::progress).collect(Collectors.joining(" | ")));
        try (ticker) {
            Crowd.run(trials.size(), number -> trials.get(number)::run);
        }
        return trials;
    }

    private List<Trial> cookies(RoomSite site, Act act, Form form, Kind kind) {
        List<Trial> trials = new ArrayList<>();
        for (Engine engine : Engine.values()) {
            trials.add(new CookieTrial(site, new RoomRule(act, form, kind, engine), clients));
        }
        return trials;
    }

    private List<Trial> pages(RoomSite site, Form form, Kind kind) {
        List<Trial> trials = new ArrayList<>();
        for (Engine engine : Engine.values()) {
            trials.add(new PageTrial(site, new RoomRule(Act.BROWSERS, form, kind, engine), browsers));
        }
        return trials;
    }
}
