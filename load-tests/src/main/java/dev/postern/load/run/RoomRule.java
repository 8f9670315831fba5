package dev.postern.load.run;

import java.util.Locale;

/**
 * Room rule: one rate limit of the waiting room's run, with a route and a crowd of its own, so that no crowd finds
 * state of another one.
 */
record RoomRule(Act act, Form form, Kind kind, Engine engine) {
    /** Sessions that a fair queue admits at once: as many as the first ancestor admits. */
    static final int ACTIVE = 5;

    /** Act of the crowd. */
    enum Act {
        WARM_UP,
        IMPATIENT,
        POLITE,
        BROWSERS
    }

    /** Form of the rate: its value and the key that it counts by. */
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

    /** Kind of reaction to requests over the rate. */
    enum Kind {
        LIMIT("limit alone"),
        QUEUE("fair queue");

        private final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /** Engine that stores the counters. */
    enum Engine {
        EMBEDDED,
        REDIS;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the name of the rule, which is also the name of its waiting room and of its path. */
    String name() {
        return (act + "-" + form + "-" + kind + "-" + engine).toLowerCase(Locale.ROOT);
    }

    /** Returns the title in a table. */
    String title() {
        return act.name().toLowerCase(Locale.ROOT) + ", " + form.title + ", " + kind.title + ", " + engine.word();
    }

    String limitYaml() {
        // Browsers leave after their last page, so a short silence frees their slots; the other clients send requests
        // without a pause until they are done.
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
