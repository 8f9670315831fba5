package dev.postern.app.cli.init;

import dev.postern.app.cli.option.OptionParsers;
import dev.postern.app.cli.option.WrongArgument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The three questions, of which only those are asked that no option answers. */
public final class Interview {

    private final Options options;
    private final Questions questions;

    /** Options of the command line; null where not given. */
    public record Options(
            @Nullable String upstream,
            @Nullable String host,
            @Nullable Path certificate,
            @Nullable Path key,
            @Nullable String room,
            @Nullable String issuer) {}

    public Interview(Options options, Questions questions) {
        this.options = options;
        this.questions = questions;
    }

    /** Returns the answers; throws {@link WrongArgument} for an option that cannot be used. */
    Answers answers() throws IOException {
        Site site = options.upstream == null
                ? questions.ask("Where does the site run, behind the gateway", "127.0.0.1:9000", Site::of)
                : OptionParsers.read("--upstream", options.upstream, Site::of);
        String host = options.host == null
                ? questions.ask("Which host name do visitors use", "localhost", Answers::host)
                : OptionParsers.read("--host", options.host, Answers::host);
        Answers.Certificate certificate = certificate();
        if (options.room == null && options.issuer == null) {
            return askWhoComesIn(site, host, certificate);
        }
        int room = options.room == null ? 0 : OptionParsers.read("--room", options.room, Answers::room);
        if (room == 0 && options.issuer == null) {
            throw new WrongArgument("--room: 0 (expected: a number of people, or --issuer too)");
        }
        String issuer = options.issuer == null ? null : OptionParsers.read("--issuer", options.issuer, Answers::issuer);
        return new Answers(site, host, certificate, room, issuer);
    }

    private Answers.@Nullable Certificate certificate() throws IOException {
        if (options.certificate != null && options.key != null) {
            return new Answers.Certificate(absolute(options.certificate), absolute(options.key));
        }
        if (options.certificate != null || options.key != null) {
            throw new WrongArgument((options.certificate == null ? "--certificate-file" : "--private-key-file")
                    + ": nothing (expected: both files, or none)");
        }
        if (options.host != null) {
            return null; // belongs to the question of the host
        }
        String chain = questions.ask(
                "Which file has its certificate (empty: a proxy on this machine ends TLS)",
                "",
                text -> text.isEmpty() ? "" : file(text));
        if (chain.isEmpty()) {
            return null;
        }
        String key = questions.ask("Which file has its private key", "", Interview::file);
        return new Answers.Certificate(absolute(Path.of(chain)), absolute(Path.of(key)));
    }

    private Answers askWhoComesIn(Site site, String host, Answers.@Nullable Certificate certificate)
            throws IOException {
        int room = questions.ask(
                "How many people may use the site at a time (0: any number, with tokens)", "500", Answers::room);
        if (room == 0) {
            String issuer = questions.ask("Which issuer signs the tokens", "", Answers::issuer);
            return new Answers(site, host, certificate, room, issuer);
        }
        String issuer = questions.ask(
                "Which issuer signs tokens, with which visitors go first (empty: none)",
                "",
                text -> text.isEmpty() ? "" : Answers.issuer(text));
        return new Answers(site, host, certificate, room, issuer.isEmpty() ? null : issuer);
    }

    private static String file(String text) {
        if (text.isEmpty() || !Files.isReadable(Path.of(text))) {
            throw new IllegalArgumentException("a file that can be read");
        }
        return text;
    }

    private static Path absolute(Path file) {
        return file.toAbsolutePath().normalize();
    }
}
