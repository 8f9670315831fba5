package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Arrivals;
import dev.postern.load.crowd.Browsers;
import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.CookieClients.Manner;
import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.origin.Counters;
import dev.postern.load.origin.Origin;
import dev.postern.load.origin.Stretches;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Trial: one crowd that visits one room.
 *
 * @param progress of the crowd so far
 * @param run lets the crowd visit the room
 * @param counted returns the result by the counters of the origin, after the run
 */
record Trial<T>(FairQueueSite site, Room room, Supplier<String> progress, Runnable run, Function<Origin, T> counted) {
    /** Returns a trial of the clients of the ancestor's experiment, impatient or polite. */
    static Trial<Served> requests(FairQueueSite site, Room room, CookieClients.Size size) {
        CookieClients crowd = new CookieClients(ports(site, room), room.name(), size);
        Manner manner = room.load() == Load.IMPATIENT ? Manner.IMPATIENT : Manner.POLITE;
        AtomicReference<CookieClients.Result> result =
                new AtomicReference<>(new CookieClients.Result(0, 0, Duration.ZERO));
        return new Trial<>(
                site, room, crowd::progress, () -> result.set(crowd.run(manner, Duration.ofMinutes(5))), origin -> {
                    CookieClients.Result ofClients = Objects.requireNonNull(result.get());
                    return new Served(
                            room.variant(),
                            origin.counters(room.name()).served(),
                            ofClients.served(),
                            size.all(),
                            ofClients.elapsed().toMillis() / 1000.0);
                });
    }

    /** Returns a trial of browsers that want whole pages. */
    static Trial<PageCount> pages(FairQueueSite site, Room room, Browsers.Size size) {
        Browsers crowd = new Browsers(ports(site, room), room.name(), size);
        AtomicLong elapsedMillis = new AtomicLong();
        Runnable run = () -> {
            elapsedMillis.set(crowd.run(Duration.ofSeconds(60)).toMillis());
            site.folder().write(room.name() + "-refused.txt", String.join("\n", crowd.refused()) + "\n");
        };
        return new Trial<>(site, room, crowd::progress, run, origin -> {
            Counters counters = origin.counters(room.name());
            double seconds = elapsedMillis.get() / 1000.0;
            return new PageCount(room.variant(), counters.wholePages(), counters.halfPages(), size.allPages(), seconds);
        });
    }

    /** Returns a trial of visitors that arrive in a known order. */
    static Trial<Admissions> arrivals(FairQueueSite site, Room room, Arrivals.Size size) {
        Arrivals crowd = new Arrivals(ports(site, room), room.name(), size);
        return new Trial<>(
                site,
                room,
                crowd::progress,
                () -> crowd.run(Duration.ofMinutes(6)),
                origin -> Admissions.of(room.variant(), origin.sessions(room.name()), size.visitors()));
    }

    private static List<Integer> ports(FairQueueSite site, Room room) {
        return site.front(room.variant()).ports();
    }

    void prepare() {
        site.prepare(room);
    }

    T result() {
        return counted.apply(site.front(room.variant()).origin());
    }

    /** Returns the sessions that the origin saw. */
    Sessions sessions() {
        Stretches stretches = site.front(room.variant()).origin().sessions(room.name());
        site.folder().write(room.name() + "-sessions.txt", stretches.text());
        return new Sessions(room, stretches);
    }
}
