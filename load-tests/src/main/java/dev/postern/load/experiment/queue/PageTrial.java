package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Browsers;
import dev.postern.load.origin.Counters;
import java.time.Duration;

/** Page trial: browsers that want whole pages. */
final class PageTrial implements Trial {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FairQueueSite site;
    private final Room room;
    private final Browsers.Size size;
    private final Browsers crowd;
    private Duration elapsed = Duration.ZERO;

    PageTrial(FairQueueSite site, Room room, Browsers.Size size) {
        this.site = site;
        this.room = room;
        this.size = size;
        this.crowd = new Browsers(site.front(room.variant()).ports(), room.name(), size);
    }

    @Override
    public Room room() {
        return room;
    }

    @Override
    public void run() {
        elapsed = crowd.run(PATIENCE);
        site.folder().write(room.name() + "-refused.txt", String.join("\n", crowd.refused()) + "\n");
    }

    @Override
    public String progress() {
        return crowd.progress();
    }

    PageCount pages() {
        Counters counted = site.front(room.variant()).origin().counters(room.name());
        return new PageCount(
                room.variant(),
                counted.wholePages(),
                counted.halfPages(),
                size.allPages(),
                elapsed.toMillis() / 1000.0);
    }
}
