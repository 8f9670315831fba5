package dev.postern.load.start;

import dev.postern.load.peer.Jdk;
import java.util.Map;

/** Start of a gateway: as its launcher starts it, or without the AOT cache. */
enum Start {
    SHIPPED("AOT cache", "on"),
    BARE("no AOT cache", "off");

    private final String text;
    private final String cache;

    Start(String text, String cache) {
        this.text = text;
        this.cache = cache;
    }

    String text() {
        return text;
    }

    /** Returns the environment of the launcher. */
    Map<String, String> environment(Jdk jdk) {
        return Map.of("JAVA_HOME", jdk.home().toString(), "POSTERN_AOT_CACHE", cache);
    }
}
