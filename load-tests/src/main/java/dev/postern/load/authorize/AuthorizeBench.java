package dev.postern.load.authorize;

import dev.postern.load.proxies.PartOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures questions of nginx to the gateway: CPU time of each, and the latency that they add to a page. */
@Command(
        name = "authorize",
        description = "nginx asks the gateway about each request (auth_request, session cookie): CPU time of a question"
                + " beside a request that the gateway forwards itself, and beside a question to oauth2-proxy; latency"
                + " beside questions that nginx answers by return 200.")
public final class AuthorizeBench implements Callable<Integer> {
    @Mixin
    PartOptions options = new PartOptions(20, 3, 15);

    @Option(
            names = "--peer",
            paramLabel = "FILE",
            description = "Program of oauth2-proxy. Without it the goal beside it is missed.")
    @Nullable
    Path peer;

    @Override
    public Integer call() {
        return options.measure(List.of(new CostPart(peer), new LatencyPart()));
    }
}
