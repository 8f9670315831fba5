package dev.postern.app.cli;

import dev.postern.app.cli.option.ClientOptions;
import dev.postern.app.cli.option.OptionParsers;
import dev.postern.app.cli.option.WrongArgument;
import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.ProxyTunnel;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.ChallengeField;
import dev.postern.core.config.HostPort;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command that gets many tokens for the challenge of a site. */
@Command(
        name = "mint",
        description = "Gets tokens for the challenge of a URL and prints one base64url token per line.",
        footer = {
            "  postern mint http://127.0.0.1:8080/ -n 10000 -o tokens.txt",
            "  postern mint http://127.0.0.1:8080/ -n 1000000 -o - | consumer    new challenge at half of max-age"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class MintCommand implements Callable<Integer> {

    private static final int BATCH = 256;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "URL", arity = "0..1", description = "URL whose challenge is answered.")
    private @Nullable URI url;

    @Option(
            names = "--challenge",
            defaultValue = "",
            paramLabel = "BASE64URL",
            description = "Answer this challenge instead.")
    private String challenge = "";

    @Option(
            names = "--proxy",
            defaultValue = "",
            paramLabel = "HOST:PORT",
            description = "Answer the challenge of this forward proxy.")
    private String proxy = "";

    @Option(
            names = "-n",
            defaultValue = "1",
            paramLabel = "COUNT",
            description = "Number of tokens; default: ${DEFAULT-VALUE}.")
    private int count = 1;

    @Option(
            names = "-o",
            defaultValue = "-",
            paramLabel = "FILE",
            description = "Output file; - is standard output and the default.")
    private String output = "-";

    @Option(
            names = "--parallel",
            defaultValue = "4",
            description = "Concurrent requests to the issuer; default: ${DEFAULT-VALUE}.")
    private int parallel = 4;

    @Mixin
    private ClientOptions options;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (count < 1 || parallel < 1) {
            throw new WrongArgument("-n, --parallel: " + count + ", " + parallel + " (expected: 1 or more)");
        }
        boolean streaming = output.equals("-");
        Progress progress = new Progress(spec.commandLine().getErr(), "tokens", count);
        try (ClientOptions.Clients clients = options.open();
                TokenClient tokens = clients.tokens();
                Writer out = new BufferedWriter(new OutputStreamWriter(open(), StandardCharsets.US_ASCII))) {
            ChallengeField field = ask(clients);
            long challengedAt = System.nanoTime();
            for (int done = 0; done < count; done += Math.min(BATCH, count - done)) {
                if (streaming && aged(field, challengedAt)) {
                    field = ask(clients);
                    challengedAt = System.nanoTime();
                }
                tokens.mint(
                        field, Math.min(BATCH, count - done), parallel, token -> write(out, token.encoded(), progress));
                out.flush();
            }
            progress.done(goodFor(field, challengedAt));
        }
        return 0;
    }

    private static void write(Writer out, String line, Progress progress) {
        try {
            out.write(line + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        progress.step();
    }

    private OutputStream open() throws IOException {
        return output.equals("-") ? new FileOutputStream(FileDescriptor.out) : Files.newOutputStream(Path.of(output));
    }

    /**
     * Returns whether half of the challenge's max-age is over. Tokens on standard output are used at once, so an aged challenge is
     * replaced.
     */
    private static boolean aged(ChallengeField field, long challengedAt) {
        return field.maxAge() >= 0
                && System.nanoTime() - challengedAt
                        > Duration.ofSeconds(field.maxAge()).toNanos() / 2;
    }

    private static String goodFor(ChallengeField field, long challengedAt) {
        if (field.maxAge() < 0) {
            return "the challenge has no max-age";
        }
        long remaining = field.maxAge()
                - Duration.ofNanos(System.nanoTime() - challengedAt).toSeconds();
        return remaining > 0 ? "good for " + remaining + " s more" : "expired: minting took longer than max-age";
    }

    private ChallengeField ask(ClientOptions.Clients clients) throws IOException, InterruptedException {
        if (!challenge.isEmpty()) {
            byte[] decoded = Base64Url.decode(challenge);
            if (decoded == null) {
                throw new WrongArgument("--challenge: not base64url (expected: the value of challenge=\"...\")");
            }
            return new ChallengeField(decoded, null, -1);
        }
        URI from = url;
        if (from == null) {
            throw new WrongArgument("URL: none (expected: one, or --challenge)");
        }
        OptionParsers.http(from);
        if (proxy.isEmpty()) {
            ClientResponse response = clients.site().get(from, Map.of());
            return response.challenge();
        }
        HostPort address = OptionParsers.read("--proxy", proxy, HostPort::of);
        try (ProxyTunnel tunnel = clients.tunnel(address, from, "")) {
            return tunnel.opened().challenge();
        }
    }
}
