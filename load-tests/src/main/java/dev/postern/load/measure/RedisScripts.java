package dev.postern.load.measure;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Redis scripts: how often Redis ran a script, by its own statistics. */
public final class RedisScripts {
    private static final Pattern CALLS = Pattern.compile("cmdstat_(?:eval|evalsha|fcall):calls=(\\d+),");

    private RedisScripts() {}

    public static long run(int port) {
        return parse(StoreMemory.ask(port, "INFO commandstats"));
    }

    /** Counts calls by name or by text; 0 if there was none. */
    static long parse(String statistics) {
        return CALLS.matcher(statistics)
                .results()
                .map((MatchResult result) -> result.group(1))
                .mapToLong(Long::parseLong)
                .sum();
    }
}
