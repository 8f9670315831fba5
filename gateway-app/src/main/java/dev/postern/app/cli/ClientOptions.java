package dev.postern.app.cli;

import dev.postern.app.client.PinnedAddresses;
import dev.postern.app.client.ProxyTunnel;
import dev.postern.app.client.SiteClient;
import dev.postern.app.client.Trust;
import dev.postern.app.config.type.HostPort;
import dev.postern.auth.issue.TokenClient;
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

/** How {@code fetch} and {@code mint} reach site, proxy and issuer: as curl does with options of these names. */
final class ClientOptions {

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Trust these certificates (PEM) instead of the platform's.")
    private @Nullable Path caFile;

    @Option(
            names = {"-k", "--insecure"},
            description = "Trust any certificate, of whatever name.")
    private boolean insecure;

    @Option(
            names = "--resolve",
            paramLabel = "HOST:PORT:ADDR",
            description =
                    "Connect to this address for that host and port, the issuer's too; may be given more than once.")
    private List<String> resolve = new ArrayList<>();

    @Option(
            names = "-H",
            paramLabel = "NAME: VALUE",
            description = "A further field of the requests to the site; may be given more than once.")
    private List<String> fields = new ArrayList<>();

    private @Nullable SSLContext tls() throws IOException {
        Path file = caFile;
        return insecure ? Trust.all() : file == null ? null : Trust.in(file);
    }

    private PinnedAddresses pinned() throws IOException {
        Map<String, InetSocketAddress> addresses = new HashMap<>();
        for (String text : resolve) {
            // An IPv6 host stands in brackets, so the third colon from the left that is outside of them ends the port.
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

    /** Opens what one command needs; to be closed at its end. */
    Clients open() throws IOException {
        return new Clients(tls(), pinned(), fields());
    }

    /** The clients of one command. */
    record Clients(@Nullable SSLContext tls, PinnedAddresses pinned, Map<String, List<String>> fields)
            implements AutoCloseable {

        SiteClient site() {
            return new SiteClient(tls, pinned, fields);
        }

        TokenClient tokens() {
            return new TokenClient(InstantSource.system(), tls, pinned);
        }

        /** A tunnel through that proxy to the host of the URI. */
        ProxyTunnel tunnel(HostPort proxy, URI uri, String credential) throws IOException {
            int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
            return ProxyTunnel.open(pinned.of(proxy.host(), proxy.port()), uri.getHost() + ":" + port, credential);
        }

        @Override
        public void close() throws IOException {
            pinned.close();
        }
    }
}
