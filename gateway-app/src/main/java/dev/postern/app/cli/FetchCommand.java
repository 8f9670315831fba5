package dev.postern.app.cli;

import dev.postern.app.cli.option.ClientOptions;
import dev.postern.app.cli.option.OptionParsers;
import dev.postern.app.cli.option.WrongArgument;
import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.ProxyTunnel;
import dev.postern.app.client.SiteClient;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.core.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command that fetches a URL as a client: answers the challenge of a site or proxy with a token and prints the response. */
@Command(
        name = "fetch",
        description = "Requests a URL, answers the challenge with a token from the issuer, and prints the response.",
        footer = {
            "  postern fetch http://127.0.0.1:8080/",
            "  postern fetch --ca-file ca.pem --resolve site.example:443:127.0.0.1 https://site.example/",
            "  postern fetch -v --proxy 127.0.0.1:8443 https://example.com/    through a tunnel",
            "  echo hello | postern fetch --proxy 127.0.0.1:8443 --udp 192.0.2.1:443"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class FetchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "URL", arity = "0..1", description = "URL to request; none with --udp.")
    private @Nullable URI url;

    @Option(
            names = "--proxy",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "Connect through this forward proxy (CONNECT).")
    private String proxy = "";

    @Option(
            names = "--udp",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "Send each line of standard input as a datagram to this destination, through the proxy"
                    + " (CONNECT-UDP), and print each reply as a line.")
    private String udp = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "",
            description = "Redeem this token, as mint prints it, instead of a new one.")
    private String token = "";

    @Option(
            names = {"-v", "--verbose"},
            description = "Show each step on standard error.")
    private boolean verbose;

    @Option(names = "--json", description = "Print status, fields and body as JSON.")
    private boolean json;

    @Mixin
    private ClientOptions options;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!udp.isEmpty()) {
            return datagrams();
        }
        URI wanted = url;
        if (wanted == null) {
            throw new WrongArgument("URL: none (expected: a URL, or --udp)");
        }
        OptionParsers.http(wanted);
        ClientResponse response;
        try (ClientOptions.Clients clients = options.open()) {
            response = proxy.isEmpty() ? direct(wanted, clients) : proxied(wanted, clients);
        }
        return print(response);
    }

    private int print(ClientResponse response) throws IOException {
        if (json) {
            spec.commandLine().getOut().println(Json.text(response));
        } else {
            spec.commandLine().getOut().print(response.body());
            spec.commandLine().getOut().flush();
        }
        step("status " + response.status());
        String id = response.field("X-Request-ID");
        if (!id.isEmpty()) {
            step("request " + id);
        }
        return response.status() < 400 ? 0 : 1;
    }

    private ClientResponse direct(URI wanted, ClientOptions.Clients clients) throws IOException, InterruptedException {
        SiteClient site = clients.site();
        if (!token.isEmpty()) {
            return site.get(wanted, Map.of("Authorization", given()));
        }
        ClientResponse first = site.get(wanted, Map.of());
        if (first.status() != 401) {
            return first;
        }
        step("401, " + description(first.challenge()));
        String credential = credential(first.challenge(), clients);
        return site.get(wanted, Map.of("Authorization", credential));
    }

    private ClientResponse proxied(URI wanted, ClientOptions.Clients clients) throws IOException, InterruptedException {
        HostPort address = OptionParsers.read("--proxy", proxy, HostPort::of);
        try (ProxyTunnel tunnel = opened(credential -> clients.tunnel(address, wanted, credential), clients)) {
            return tunnel.opened().status() == 200
                    ? tunnel.get(wanted, clients.tls(), clients.fields())
                    : tunnel.opened();
        }
    }

    private int datagrams() throws IOException, InterruptedException {
        if (url != null || proxy.isEmpty()) {
            throw new WrongArgument("--udp: " + udp + " (expected: with --proxy, and without a URL)");
        }
        HostPort address = OptionParsers.read("--proxy", proxy, HostPort::of);
        HostPort destination = OptionParsers.read("--udp", udp, HostPort::of);
        try (ClientOptions.Clients clients = options.open();
                ProxyTunnel tunnel =
                        opened(credential -> clients.udpTunnel(address, destination, credential), clients)) {
            if (tunnel.opened().status() != 101) {
                return print(tunnel.opened());
            }
            new DatagramRelay(tunnel.datagrams(), System.in, spec.commandLine().getOut()).run();
            return 0;
        }
    }

    /** Opens a tunnel; a second time with a token if the proxy asks for one. */
    private ProxyTunnel opened(TunnelRequest request, ClientOptions.Clients clients)
            throws IOException, InterruptedException {
        ProxyTunnel first = request.open(token.isEmpty() ? "" : given());
        ClientResponse response = first.opened();
        step("tunnel: " + response.status());
        if (response.status() != 407 || !token.isEmpty()) {
            return first;
        }
        first.close();
        step("407, " + description(response.challenge()));
        ProxyTunnel second = request.open(credential(response.challenge(), clients));
        step("tunnel: " + second.opened().status());
        return second;
    }

    /** Request for a tunnel with a credential, which may be empty. */
    private interface TunnelRequest {

        ProxyTunnel open(String credential) throws IOException;
    }

    private String given() {
        return "PrivateToken token=\"" + token + "\"";
    }

    private String credential(ChallengeField challenge, ClientOptions.Clients clients)
            throws IOException, InterruptedException {
        try (TokenClient tokens = clients.tokens()) {
            String credential = SiteClient.credential(tokens.fetch(challenge));
            step("token blinded, signed by the issuer, finalised");
            return credential;
        }
    }

    private static String description(ChallengeField field) {
        TokenChallenge challenge = TokenChallenge.decode(field.challenge());
        String issuer = challenge == null ? "unreadable" : challenge.issuerName() + ", type " + challenge.tokenType();
        return "challenge of issuer " + issuer + ", good for " + field.maxAge() + " s";
    }

    private void step(String text) {
        if (verbose) {
            spec.commandLine().getErr().println("* " + text);
        }
    }
}
