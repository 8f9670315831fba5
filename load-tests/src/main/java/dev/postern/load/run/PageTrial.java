package dev.postern.load.run;

import dev.postern.load.crowd.Browsers;
import dev.postern.load.server.RunFolder;
import java.time.Duration;

/** Browsers at one rule, each after whole pages. */
final class PageTrial implements Trial {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RoomRule rule;
    private final Browsers crowd;
    private final RunFolder folder;
    private Duration elapsed = Duration.ZERO;

    PageTrial(RoomSite site, RoomRule rule, Browsers.Size size) {
        this.folder = site.folder();
        this.rule = rule;
        this.crowd = new Browsers(site.port(), rule.name(), size);
    }

    @Override
    public String title() {
        return rule.title();
    }

    @Override
    public void run() {
        elapsed = crowd.run(PATIENCE);
        folder.write(rule.name() + "-refused.txt", String.join("\n", crowd.refused()) + "\n");
    }

    @Override
    public String progress() {
        return crowd.progress();
    }

    @Override
    public void tell(RoomTable table) {
        table.pages(rule, elapsed);
    }
}
