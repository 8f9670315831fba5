package dev.postern.app.cli;

import dev.postern.app.cli.option.ClientOptions;
import dev.postern.app.cli.option.OptionParsers;
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
            "  postern fetch -v --proxy 127.0.0.1:8443 https://example.com/    through a tunnel"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class FetchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "URL", description = "URL to request.")
    private URI url;

    @Option(
            names = "--proxy",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "Connect through this forward proxy (CONNECT).")
    private String proxy = "";

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
        OptionParsers.http(url);
        ClientResponse response;
        try (ClientOptions.Clients clients = options.open()) {
            response = proxy.isEmpty()
                    ? direct(clients)
                    : proxied(OptionParsers.read("--proxy", proxy, HostPort::of), clients);
        }
        if (json) {
            spec.commandLine().getOut().println(Json.text(response));
        } else {
            spec.commandLine().getOut().print(response.body());
            spec.commandLine().getOut().flush();
        }
        step("status " + response.status());
        return response.status() < 400 ? 0 : 1;
    }

    private ClientResponse direct(ClientOptions.Clients clients) throws IOException, InterruptedException {
        SiteClient site = clients.site();
        if (!token.isEmpty()) {
            return site.get(url, Map.of("Authorization", given()));
        }
        ClientResponse first = site.get(url, Map.of());
        if (first.status() != 401) {
            return first;
        }
        step("401, " + description(first.challenge()));
        String credential = credential(first.challenge(), clients);
        return site.get(url, Map.of("Authorization", credential));
    }

    private ClientResponse proxied(HostPort address, ClientOptions.Clients clients)
            throws IOException, InterruptedException {
        String credential = token.isEmpty() ? "" : given();
        try (ProxyTunnel first = clients.tunnel(address, url, credential)) {
            if (first.opened().status() == 200) {
                return first.get(url, clients.tls(), clients.fields());
            }
            if (first.opened().status() != 407 || !token.isEmpty()) {
                return first.opened();
            }
            step("407, " + description(first.opened().challenge()));
            credential = credential(first.opened().challenge(), clients);
        }
        try (ProxyTunnel second = clients.tunnel(address, url, credential)) {
            step("tunnel to " + url.getAuthority() + ": " + second.opened().status());
            return second.opened().status() == 200 ? second.get(url, clients.tls(), clients.fields()) : second.opened();
        }
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
