package dev.postern.load.run;

/** Fault of the Redis that the gateways share. */
enum Fault {
    PAUSED("paused 5 s", 5),
    KILLED("killed, empty after 8 s", 8),
    RESTARTED("killed, empty at once", 0);

    private final String title;
    private final int seconds;

    Fault(String title, int seconds) {
        this.title = title;
        this.seconds = seconds;
    }

    /** A fault and its time, in microseconds since 1970. */
    record Happened(Fault fault, long began, long healed) {}

    String title() {
        return title;
    }

    /** Returns how long the fault lasts. */
    int seconds() {
        return seconds;
    }

    void strike(OutageSite site) {
        if (this == PAUSED) {
            site.redis().freeze();
        } else {
            site.redis().kill();
        }
    }

    void heal(OutageSite site) {
        if (this == PAUSED) {
            site.redis().thaw();
        } else {
            site.restartRedis();
        }
    }
}
