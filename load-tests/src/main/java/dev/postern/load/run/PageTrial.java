package dev.postern.load.run;

import dev.postern.load.crowd.Browsers;
import java.time.Duration;

/** Page trial: browsers at one rule that load whole pages. */
final class PageTrial implements Trial {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RoomRule rule;
    private final Browsers crowd;
    private final RoomSite site;
    private Duration elapsed = Duration.ZERO;

    PageTrial(RoomSite site, RoomRule rule, Browsers.Size size) {
        this.site = site;
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
        String name = rule.name();
        site.folder().write(name + "-refused.txt", String.join("\n", crowd.refused()) + "\n");
        site.folder()
                .write(
                        name + "-sessions.txt",
                        site.origin(rule.engine()).sessions(name).text());
    }

    @Override
    public String progress() {
        return crowd.progress();
    }

    @Override
    public void addTo(RoomTable table) {
        table.pages(rule, elapsed);
    }
}
