package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Arrivals;
import java.time.Duration;

/** Arrival trial: visitors that arrive in a known order. */
final class ArrivalTrial implements Trial {
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    private final FairQueueSite site;
    private final Room room;
    private final Arrivals.Size size;
    private final Arrivals crowd;

    ArrivalTrial(FairQueueSite site, Room room, Arrivals.Size size) {
        this.site = site;
        this.room = room;
        this.size = size;
        this.crowd = new Arrivals(site.front(room.variant()).ports(), room.name(), size);
    }

    @Override
    public Room room() {
        return room;
    }

    @Override
    public void run() {
        crowd.run(PATIENCE);
    }

    @Override
    public String progress() {
        return crowd.progress();
    }

    Admissions admissions() {
        return Admissions.of(room.variant(), Trial.sessions(site, this).stretches(), size.visitors());
    }
}
