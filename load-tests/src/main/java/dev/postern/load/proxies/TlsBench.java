package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import dev.postern.load.peer.TlsPeers;
import dev.postern.load.server.Programs;
import dev.postern.load.server.RunFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures TLS at the listener: CPU time per request and per handshake of the gateway beside nginx and HAProxy. */
@Command(
        name = "tls",
        description = "The gateway beside nginx and HAProxy, all with TLS 1.3 and a certificate on P-256: CPU time per"
                + " request, per full and resumed handshake, over HTTP/2, and of a token on every request.")
public final class TlsBench implements Callable<Integer> {
    private static final int SMALL = 128;
    /** Larger than the error page of any peer, so that an error is noticed by its length. */
    private static final int HANDSHAKE_BODY = 1024;

    private static final int CONNECTIONS = 64;

    @Mixin
    PartOptions options = new PartOptions(20, 3, 25);

    @Option(
            names = "--peers",
            paramLabel = "DIR",
            description = "Root file system of the Debian whose nginx and HAProxy decide; those of the host are shown"
                    + " beside them. Without it the host's decide.")
    @Nullable
    Path peers;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        TlsPeers tls = new TlsPeers(programs());
        List<Part> all = new ArrayList<>();
        rows().forEach(row -> all.add(new LoadPart(row, tls::start)));
        all.add(new TokenPart(tls));
        describe(tls);
        return options.measure(all);
    }

    private Programs programs() {
        try {
            return peers == null ? Programs.ofHost() : Programs.in(peers);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--peers: " + e.getMessage(), e);
        }
    }

    private void describe(TlsPeers tls) {
        try (RunFolder folder = RunFolder.create("tls")) {
            Progress.say("asking the peers for versions and ciphers; configurations and logs: " + folder);
            System.out.println("Peers: nginx and HAProxy of " + tls.programs().distribution() + " decide"
                    + (peers == null ? ", the host's, since no other root file system is given" : "") + ".\n");
            List<String> kinds = new ArrayList<>(List.of(Peer.POSTERN));
            comparisons(null).forEach(comparison -> kinds.add(comparison.peer()));
            kinds.forEach(kind -> System.out.println(tls.description(kind, folder)));
            System.out.println();
        }
    }

    private List<LoadRow> rows() {
        String close = "%s handshake and one request (%,d B), %d clients";
        return List.of(
                new LoadRow(
                        "small",
                        "128 B over TLS, 64 connections",
                        SMALL,
                        Load.http1(CONNECTIONS),
                        comparisons(Goal.atMost(0.95))),
                new LoadRow(
                        "64k", "64 KiB over TLS, 64 connections", 64 << 10, Load.http1(CONNECTIONS), largeResponses()),
                new LoadRow(
                        "full",
                        close.formatted("full", HANDSHAKE_BODY, CONNECTIONS),
                        HANDSHAKE_BODY,
                        Load.handshakes(false, CONNECTIONS, HANDSHAKE_BODY),
                        comparisons(Goal.atMost(0.8))),
                new LoadRow(
                        "resumed",
                        close.formatted("resumed", HANDSHAKE_BODY, CONNECTIONS),
                        HANDSHAKE_BODY,
                        Load.handshakes(true, CONNECTIONS, HANDSHAKE_BODY),
                        comparisons(Goal.atMost(0.8))),
                new LoadRow(
                        "h2",
                        "128 B over HTTP/2 and TLS, 4 connections, 32 streams each",
                        SMALL,
                        Load.http2(4, 32),
                        comparisons(Goal.atMost(0.8))));
    }

    private List<Comparison> largeResponses() {
        List<Comparison> all = new ArrayList<>(comparisons(Goal.atMost(0.95)));
        all.add(LoadRow.cpu("nginx-large-buffers", null));
        return all;
    }

    /** @param goal beside nginx */
    private List<Comparison> comparisons(@Nullable Goal goal) {
        List<Comparison> all = new ArrayList<>(List.of(LoadRow.cpu("nginx", goal), LoadRow.cpu("haproxy", null)));
        if (peers != null) {
            all.add(LoadRow.cpu("nginx" + TlsPeers.HOST, null));
            all.add(LoadRow.cpu("haproxy" + TlsPeers.HOST, null));
        }
        return all;
    }
}
