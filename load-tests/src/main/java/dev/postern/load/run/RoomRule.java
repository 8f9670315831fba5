package dev.postern.load.run;

import java.util.Locale;

/** One rate limit of the waiting room's run, with a route and a crowd of its own, so that no crowd finds what another left behind. */
record RoomRule(Act act, Form form, Kind kind, Engine engine) {
    /** Sessions that a fair queue admits at once: as many as the first ancestor. */
    static final int ACTIVE = 5;

    /** What the crowd does. */
    enum Act {
        WARM_UP,
        IMPATIENT,
        POLITE,
        BROWSERS
    }

    /** What the rate is and what it counts by. */
    enum Form {
        ADDRESS("10/s an address, no burst", "rate: 10/s, burst: 0, per: client-address"),
        SITE("100/s a site, burst 10", "rate: 100/s, burst: 10, per: host"),
        PAGES("10/s a site, burst 10", "rate: 10/s, burst: 10, per: host");

        private final String title;
        private final String yaml;

        Form(String title, String yaml) {
            this.title = title;
            this.yaml = yaml;
        }
    }

    /** What becomes of those who are over the rate. */
    enum Kind {
        LIMIT("limit alone"),
        QUEUE("fair queue");

        private final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /** Who keeps the books. */
    enum Engine {
        EMBEDDED,
        REDIS;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The rule's name, which is also its room's and its path's. */
    String name() {
        return (act + "-" + form + "-" + kind + "-" + engine).toLowerCase(Locale.ROOT);
    }

    /** How a table calls it. */
    String title() {
        return act.name().toLowerCase(Locale.ROOT) + ", " + form.title + ", " + kind.title + ", " + engine.word();
    }

    String limitYaml() {
        // Browsers leave after their last page, so a short silence frees their slots; the others never fall silent
        // before they are done.
        String idle = act == Act.BROWSERS ? "2s" : "5s";
        String queue = ", fair-queue: {active-sessions: %d, pass: 10m, idle: %s, absence: 20s}".formatted(ACTIVE, idle);
        return "  - {name: %s, %s, store: %s%s}%n"
                .formatted(name(), form.yaml, engine.word(), kind == Kind.QUEUE ? queue : "");
    }

    String routeYaml() {
        return "  - {host: \"*\", path: /%1$s, upstream: %2$s, token: off, rate-limit: %1$s}%n"
                .formatted(name(), engine.word());
    }
}
