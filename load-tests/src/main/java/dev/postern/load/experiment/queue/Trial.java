package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Arrivals;
import dev.postern.load.crowd.Browsers;
import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.CookieClients.Manner;
import dev.postern.load.crowd.Counters;
import dev.postern.load.crowd.Origin;
import dev.postern.load.crowd.Stretches;
import dev.postern.load.experiment.queue.Room.Load;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Trial: one crowd that visits one room, and what the clients and the origin counted. Runs once; its result is read afterwards. */
final class Trial<T> {
    private final FairQueueSite site;
    private final Room room;
    private final Supplier<String> progress;
    private final Supplier<T> visits;
    private @Nullable T result;

    /**
     * @param progress of the crowd so far
     * @param visits lets the crowd visit the room, and returns the result by the counters of the origin
     */
    private Trial(FairQueueSite site, Room room, Supplier<String> progress, Supplier<T> visits) {
        this.site = site;
        this.room = room;
        this.progress = progress;
        this.visits = visits;
    }

    /** Returns a trial of the clients of the ancestor's experiment, impatient or polite. */
    static Trial<Served> requests(FairQueueSite site, Room room, CookieClients.Size size) {
        CookieClients crowd = new CookieClients(ports(site, room), room.name(), size);
        Manner manner = room.load() == Load.IMPATIENT ? Manner.IMPATIENT : Manner.POLITE;
        return new Trial<>(site, room, crowd::progress, () -> {
            CookieClients.Result result = crowd.run(manner, Duration.ofMinutes(5));
            return new Served(
                    room.variant(),
                    origin(site, room).counters(room.name()).served(),
                    result.served(),
                    size.all(),
                    result.elapsed().toMillis() / 1000.0);
        });
    }

    /** Returns a trial of browsers that want whole pages. */
    static Trial<PageCount> pages(FairQueueSite site, Room room, Browsers.Size size) {
        Browsers crowd = new Browsers(ports(site, room), room.name(), size);
        return new Trial<>(site, room, crowd::progress, () -> {
            double seconds = crowd.run(Duration.ofSeconds(60)).toMillis() / 1000.0;
            site.folder().write(room.name() + "-refused.txt", String.join("\n", crowd.refused()) + "\n");
            Counters counters = origin(site, room).counters(room.name());
            return new PageCount(room.variant(), counters.wholePages(), counters.halfPages(), size.allPages(), seconds);
        });
    }

    /** Returns a trial of visitors that arrive in a known order. */
    static Trial<Admissions> arrivals(FairQueueSite site, Room room, Arrivals.Size size) {
        Arrivals crowd = new Arrivals(ports(site, room), room.name(), size);
        return new Trial<>(site, room, crowd::progress, () -> {
            crowd.run(Duration.ofMinutes(6));
            return Admissions.of(room.variant(), origin(site, room).sessions(room.name()), size.visitors());
        });
    }

    private static List<Integer> ports(FairQueueSite site, Room room) {
        return site.front(room.variant()).ports();
    }

    private static Origin origin(FairQueueSite site, Room room) {
        return site.front(room.variant()).origin();
    }

    Room room() {
        return room;
    }

    void prepare() {
        site.prepare(room);
    }

    void run() {
        result = visits.get();
    }

    String progress() {
        return progress.get();
    }

    /** Returns the result, after the run. */
    T result() {
        return Objects.requireNonNull(result, "the trial has not run (expected: result after run)");
    }

    /** Returns the sessions that the origin saw. */
    Sessions sessions() {
        Stretches stretches = origin(site, room).sessions(room.name());
        site.folder().write(room.name() + "-sessions.txt", stretches.text());
        return new Sessions(room, stretches);
    }
}
