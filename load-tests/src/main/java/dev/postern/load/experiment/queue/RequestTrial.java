package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.CookieClients;
import dev.postern.load.crowd.CookieClients.Manner;
import dev.postern.load.crowd.CookieClients.Result;
import dev.postern.load.experiment.queue.Room.Load;
import java.time.Duration;

/** Request trial: the clients of the ancestor's experiment, impatient or polite. */
final class RequestTrial implements Trial {
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    private final FairQueueSite site;
    private final Room room;
    private final CookieClients.Size size;
    private final CookieClients crowd;
    private Result result = new Result(0, 0, Duration.ZERO);

    RequestTrial(FairQueueSite site, Room room, CookieClients.Size size) {
        this.site = site;
        this.room = room;
        this.size = size;
        this.crowd = new CookieClients(site.front(room.variant()).ports(), room.name(), size);
    }

    @Override
    public Room room() {
        return room;
    }

    @Override
    public void run() {
        result = crowd.run(room.load() == Load.IMPATIENT ? Manner.IMPATIENT : Manner.POLITE, AT_MOST);
    }

    @Override
    public String progress() {
        return crowd.progress();
    }

    Served served() {
        long byOrigin =
                site.front(room.variant()).origin().counters(room.name()).served();
        return new Served(
                room.variant(),
                byOrigin,
                result.served(),
                size.all(),
                result.elapsed().toMillis() / 1000.0);
    }
}
