package dev.postern.load.bench;

import dev.postern.load.measure.Wrk;
import dev.postern.load.server.RunFolder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Connections that are refused whatever they ask: with the tokens of a file by turns, or with none. Driven by wrk. */
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

    /** Milliseconds that each waits after a response at most, to keep a pace; at random, so that they don't come in waves. */
    private double pause = 100;

    /** @param tokens one a line; null for requests without token */
    Forgers(RunFolder folder, URI uri, int connections, @Nullable Path tokens) {
        this.folder = folder;
        this.uri = uri;
        this.connections = connections;
        this.requests = tokens == null ? WITHOUT : WITH.formatted(tokens);
    }

    /** As many refusals as they can get. */
    Wrk flood(Duration duration) {
        return run(duration, 0);
    }

    /** About so many refusals a second: each call comes closer, as it has seen what the one before made of its pause. */
    Wrk pace(Duration duration, double perSecond) {
        Wrk run = run(duration, Math.max(1, Math.round(pause)));
        pause *= run.perSecond() / perSecond;
        return run;
    }

    private Wrk run(Duration duration, long pauseMillis) {
        Path script = folder.write("forgers.lua", requests + BY_TURNS.formatted(pauseMillis));
        return Wrk.runRefused(uri, connections, duration, script);
    }
}
