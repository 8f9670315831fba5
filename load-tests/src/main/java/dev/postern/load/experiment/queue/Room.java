package dev.postern.load.experiment.queue;

import java.util.Locale;

/**
 * Room of one crowd at one variant: a rate limit and a route of its own, so that no crowd finds state of another one.
 */
record Room(Load load, Variant variant) {
    /** Sessions that a fair queue admits at once: as many as in the ancestor's experiment. */
    static final int ACTIVE = 5;

    /** Requests per second of an address: as many as in the ancestor's experiment. */
    static final int RATE = 10;

    /**
     * Load of a crowd.
     *
     * <p>Browsers and arrivals leave after their last request, so a short silence frees their slots; the other clients
     * send requests without a pause until they are done.
     */
    enum Load {
        WARM_UP(5, false),
        IMPATIENT(5, false),
        POLITE(5, true),
        ARRIVALS(2, true),
        BROWSERS(2, false);

        private final int idleSeconds;
        private final boolean everybodyQueues;

        Load(int idleSeconds, boolean everybodyQueues) {
            this.idleSeconds = idleSeconds;
            this.everybodyQueues = everybodyQueues;
        }

        /** Returns whether no request passes at the base rate, so that the origin sees admitted sessions only. */
        boolean everybodyQueues() {
            return everybodyQueues;
        }
    }

    /** Returns the name of the rate limit, which is also the name of its waiting room and of its path. */
    String name() {
        return load.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + variant.word();
    }

    String limitYaml(Store store) {
        String queue = ", fair-queue: {active-sessions: %d, pass: 10m, idle: %ds, absence: 20s}"
                .formatted(ACTIVE, load.idleSeconds);
        return "  - {name: %s, rate: %d/s, burst: 0, per: client-address, store: %s%s}%n"
                .formatted(name(), RATE, store.yaml(), variant.queue() ? queue : "");
    }

    String routeYaml() {
        return "  - {host: \"*\", path: /%1$s, upstream: app, token: off, rate-limit: %1$s}%n".formatted(name());
    }
}
