package dev.postern.load.peer;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.ProcessStatus;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.STime;
import dev.postern.load.measure.TlsHandshake;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Programs;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * TLS peers: proxies for clients that use TLS with HTTP/1.1 or HTTP/2, all with the certificate of the run's folder.
 *
 * @param programs the distribution whose nginx and HAProxy have the plain names; names with {@link #HOST} are the host's
 */
public record TlsPeers(Programs programs) {
    /** End of the names of the peers that come from the host. */
    public static final String HOST = "-host";

    private static final Pattern VERSION = Pattern.compile("nginx/\\d[\\d.]*|HAProxy version [\\d.]+");
    private static final Pattern OPENSSL = Pattern.compile("OpenSSL \\d[\\d.]*");
    private static final Pattern TLS = Pattern.compile(".*(ssl|tls).*");

    /** Starts {@code postern}, {@code nginx}, {@code nginx-large-buffers} or {@code haproxy}. */
    public Peer start(String kind, RunFolder folder, int upstreamPort) {
        Certificate certificate = Certificate.in(folder);
        if (kind.equals(Peer.POSTERN)) {
            return Peer.postern(kind, folder, upstreamPort, true, Map.of());
        }
        if (kind.startsWith("haproxy")) {
            String tls = "ssl crt " + certificate.together(folder) + " alpn h2,http/1.1";
            return Peer.haproxy(kind, programs(kind), tls, folder, upstreamPort);
        }
        boolean large = kind.startsWith("nginx-large-buffers");
        Nginx nginx = Nginx.proxyOverTls(folder, kind, programs(kind), upstreamPort, large, certificate);
        return new Peer(kind, nginx.process(), Peer.uri("https", nginx.port()));
    }

    private Programs programs(String kind) {
        return kind.endsWith(HOST) ? Programs.ofHost() : programs;
    }

    /**
     * Starts the peer for a moment and returns lines with its version, what it agrees on with a client of OpenSSL, and
     * its settings of TLS.
     */
    public String description(String kind, RunFolder folder) {
        // No origin: only the handshakes matter.
        try (Peer peer = start(kind, folder, 1)) {
            return "- %s: %s; %s; resumed: %s%n  `%s`"
                    .formatted(
                            kind,
                            version(peer),
                            TlsHandshake.with(peer.uri()),
                            resumption(peer),
                            String.join(" ", settings(kind, folder)));
        }
    }

    private static List<String> settings(String kind, RunFolder folder) {
        String suffix = kind.startsWith("nginx") ? ".conf" : kind.startsWith("haproxy") ? ".cfg" : ".yaml";
        try (Stream<String> lines = Files.lines(folder.file(kind + suffix))) {
            return lines.map(line -> line.strip().replace(folder + "/", ""))
                    .filter(TLS.asMatchPredicate())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String version(Peer peer) {
        String name = peer.name();
        if (name.equals(Peer.POSTERN)) {
            boolean bundled = ProcessStatus.maps(peer.process().pid(), "netty_tcnative");
            return (bundled ? "BoringSSL" : "TLS engine of the JDK") + ", JDK " + Runtime.version();
        }
        Programs own = programs(name);
        List<String> command = name.startsWith("nginx") ? own.command("nginx", "-V") : own.command("haproxy", "-vv");
        String output = Command.output(command);
        return "%s, %s, %s".formatted(last(VERSION, output), last(OPENSSL, output), own.distribution());
    }

    private static String resumption(Peer peer) {
        try {
            STime.run(peer.uri(), 1, true, 1, Duration.ofSeconds(1));
            return "each connection after the first, by ticket";
        } catch (IllegalStateException e) {
            return "no (" + Progress.firstLine(e) + ")";
        }
    }

    private static String last(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        String found = "unknown version";
        while (matcher.find()) {
            found = matcher.group();
        }
        return found;
    }
}
