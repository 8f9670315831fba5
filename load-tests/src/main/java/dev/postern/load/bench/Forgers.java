package dev.postern.load.bench;

import dev.postern.load.measure.LoadRun;
import dev.postern.load.measure.Wrk;
import dev.postern.load.server.RunFolder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Connections, driven by wrk, whose requests are all refused: they send the tokens of a file in turn, or no token. */
final class Forgers {
    private static final String WITHOUT = """
            function init()
              request_bytes = { wrk.format() }
            end
            """;
    private static final String WITH = """
            function init()
              request_bytes = {}
              for token in io.lines("%s") do
                table.insert(request_bytes, wrk.format("GET", nil, { ["Authorization"] = "PrivateToken token=\\"" .. token .. "\\"" }))
              end
            end
            """;
    private static final String BY_TURNS = """
            at = 0
            function request()
              at = at %% #request_bytes + 1
              return request_bytes[at]
            end
            function delay()
              return math.random(0, %d)
            end
            """;

    private final RunFolder folder;
    private final URI uri;
    private final int connections;
    private final String requests;

    /**
     * Upper bound of the random pause after each response, in milliseconds; a fixed pause would make the requests
     * arrive in bursts.
     */
    private double pause = 100;

    /** @param tokens one a line; null for requests without token */
    Forgers(RunFolder folder, URI uri, int connections, @Nullable Path tokens) {
        this.folder = folder;
        this.uri = uri;
        this.connections = connections;
        this.requests = tokens == null ? WITHOUT : WITH.formatted(tokens);
    }

    /** Sends requests as fast as the gateway refuses them. */
    LoadRun flood(Duration duration) {
        return run(duration, 0);
    }

    /**
     * Sends about the given number of requests per second; each call corrects the pause by the rate that the previous
     * call measured.
     */
    LoadRun pace(Duration duration, double perSecond) {
        LoadRun run = run(duration, Math.max(1, Math.round(pause)));
        pause *= run.perSecond() / perSecond;
        return run;
    }

    private LoadRun run(Duration duration, long pauseMillis) {
        Path script = folder.write("forgers.lua", requests + BY_TURNS.formatted(pauseMillis));
        return Wrk.runRefused(uri, connections, duration, script);
    }
}
