package dev.postern.app.cli.option;

import dev.postern.app.client.PinnedAddresses;
import dev.postern.app.client.ProxyTunnel;
import dev.postern.app.client.SiteClient;
import dev.postern.app.client.Trust;
import dev.postern.auth.issue.TokenClient;
import dev.postern.core.config.HostPort;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code fetch} and {@code mint} for connections to site, proxy and issuer. Names and meanings are those of curl. */
public final class ClientOptions {

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Trust these certificates (PEM) instead of the platform's.")
    private @Nullable Path caFile;

    @Option(
            names = {"-k", "--insecure"},
            description = "Trust any certificate and any name in it.")
    private boolean insecure;

    @Option(
            names = "--resolve",
            paramLabel = "HOST:PORT:ADDR",
            description = "Connect to ADDR for this host and port, also for the issuer's; may be given more than once.")
    private List<String> resolve = new ArrayList<>();

    @Option(
            names = "-H",
            paramLabel = "NAME: VALUE",
            description = "Additional field of the requests to the site; may be given more than once.")
    private List<String> fields = new ArrayList<>();

    private @Nullable SSLContext tls() throws IOException {
        Path file = caFile;
        return insecure ? Trust.all() : file == null ? null : Trust.in(file);
    }

    private PinnedAddresses pinned() throws IOException {
        Map<String, InetSocketAddress> addresses = new HashMap<>();
        for (String text : resolve) {
            // An IPv6 host is in brackets, so the port ends at the second colon outside of the brackets.
            int host = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
            int port = host < 0 ? -1 : text.indexOf(':', host + 1);
            if (port < 0 || text.charAt(host) != ':') {
                throw new WrongArgument("--resolve: " + text + " (expected: HOST:PORT:ADDR)");
            }
            InetAddress address = NetUtil.createInetAddressFromIpAddressString(text.substring(port + 1));
            if (address == null) {
                throw new WrongArgument("--resolve: " + text + " (expected: an IP address behind the port)");
            }
            HostPort endpoint = OptionParsers.read("--resolve", text.substring(0, port), HostPort::of);
            addresses.put(
                    text.substring(0, port).toLowerCase(Locale.ROOT), new InetSocketAddress(address, endpoint.port()));
        }
        return new PinnedAddresses(addresses);
    }

    private Map<String, List<String>> fields() {
        Map<String, List<String>> all = new HashMap<>();
        for (String field : fields) {
            int colon = field.indexOf(':');
            if (colon < 1) {
                throw new WrongArgument("-H: " + field + " (expected: NAME: VALUE)");
            }
            all.computeIfAbsent(field.substring(0, colon).trim(), name -> new ArrayList<>())
                    .add(field.substring(colon + 1).trim());
        }
        return all;
    }

    /** Opens the clients of one command. The command closes them at its end. */
    public Clients open() throws IOException {
        return new Clients(tls(), pinned(), fields());
    }

    /** Clients of one command. */
    public record Clients(@Nullable SSLContext tls, PinnedAddresses pinned, Map<String, List<String>> fields)
            implements AutoCloseable {

        public SiteClient site() {
            return new SiteClient(tls, pinned, fields);
        }

        public TokenClient tokens() {
            return new TokenClient(InstantSource.system(), tls, pinned);
        }

        /** Opens a tunnel through the proxy to the host of the URI. */
        public ProxyTunnel tunnel(HostPort proxy, URI uri, String credential) throws IOException {
            int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
            return ProxyTunnel.open(pinned.of(proxy.host(), proxy.port()), uri.getHost() + ":" + port, credential);
        }

        /** Opens a UDP tunnel through the proxy. */
        public ProxyTunnel udpTunnel(HostPort proxy, HostPort destination, String credential) throws IOException {
            return ProxyTunnel.openUdp(pinned.of(proxy.host(), proxy.port()), destination, credential);
        }

        @Override
        public void close() throws IOException {
            pinned.close();
        }
    }
}
