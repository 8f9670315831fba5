package dev.postern.load.oldnew;

import dev.postern.load.server.RunFolder;
import java.util.Locale;

/** Scenario of the comparison: a kind of requests. */
enum Scenario {
    PROXY("128 B over 64 connections of HTTP/1.1, no tokens"),
    TLS("the same over TLS"),
    SPEND("a token in each request, verified and spent in memory"),
    ROOM("32 admitted sessions, 32 that wait and poll, in memory");

    private final String title;

    Scenario(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Starts the servers that both builds share. */
    Site open(RunFolder folder, Plan plan, Builds builds) {
        return switch (this) {
            case PROXY -> ProxySite.open(folder, false);
            case TLS -> ProxySite.open(folder, true);
            case SPEND -> SpendSite.open(folder, plan, builds.current());
            case ROOM -> RoomSite.open(folder);
        };
    }

    /** Returns the name as in options and results. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
