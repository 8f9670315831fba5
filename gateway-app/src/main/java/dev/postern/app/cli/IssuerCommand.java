package dev.postern.app.cli;

import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.Span;
import dev.postern.auth.issue.DevelopmentIssuer;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a development issuer until a signal ends it. */
@Command(
        name = "issuer",
        description =
                "A development issuer (RFC 9578): directory and blind signatures for whoever asks. Not for the open internet.",
        footer = {
            "  postern issuer",
            "  postern issuer --address 0.0.0.0:9300 --rotate-every 1h    a new key each hour, the one before stays good"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class IssuerCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9300",
            description = "Where to listen; port 0 takes a free one; default: ${DEFAULT-VALUE}.")
    private String address = "127.0.0.1:9300";

    @Option(
            names = "--max-age",
            defaultValue = "5m",
            description = "How long the directory may be cached; default: ${DEFAULT-VALUE}.")
    private String maxAge = "5m";

    @Option(
            names = "--rotate-every",
            defaultValue = "0",
            description = "A new key after so long; 0 for never; default: ${DEFAULT-VALUE}.")
    private String rotateEvery = "0";

    @Option(names = "--json", description = "Print what clients need as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        HostPort at = Texts.read("--address", address, HostPort::of);
        Duration cached = Texts.read("--max-age", maxAge, Span::of).duration();
        Duration every = Texts.read("--rotate-every", rotateEvery, Span::of).duration();
        try (DevelopmentIssuer issuer = start(at, cached)) {
            print(issuer);
            while (!every.isZero()) {
                TimeUnit.NANOSECONDS.sleep(every.toNanos());
                issuer.retireOld();
                spec.commandLine().getOut().println("new key " + issuer.rotate().id());
            }
            new CountDownLatch(1).await();
        }
        return 0;
    }

    private static DevelopmentIssuer start(HostPort at, Duration cached) throws IOException {
        try {
            return DevelopmentIssuer.start(at.resolve(), cached, InstantSource.system());
        } catch (IOException e) {
            throw new IOException("--address: " + at + ": " + e.getMessage() + " (expected: a free address)", e);
        }
    }

    private void print(DevelopmentIssuer issuer) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(Map.of(
                    "name", issuer.name(),
                    "directory", issuer.directoryUri().toString(),
                    "key-id", issuer.key().id().toString())));
        } else {
            out.println("issuer " + issuer.name() + ", key " + issuer.key().id());
            out.println("for the gateway's configuration:");
            out.println("  privacy-pass: {issuers: [{name: \"" + issuer.name() + "\", directory: \""
                    + issuer.directoryUri() + "\"}]}");
        }
        out.flush();
    }
}
