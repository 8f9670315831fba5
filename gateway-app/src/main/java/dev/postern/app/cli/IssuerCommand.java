package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.app.cli.option.OptionParsers;
import dev.postern.app.cli.option.WrongArgument;
import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.HostPort;
import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that runs a development issuer until a signal ends it. */
@Command(
        name = "issuer",
        description = {
            "Runs a development issuer (RFC 9578): directory and blind signatures for any client. Not for the open"
                    + " internet.",
            "Its keys roll at run time: every --rotate-every, at each SIGHUP, and at POST /roll from this machine;"
                    + " POST /retire removes all but the newest from the directory."
        },
        footer = {
            "  postern issuer",
            "  postern issuer --rotate-every 1h --announce 5m    a new key each hour, known to gateways before clients"
                    + " use it",
            "  postern issuer --types 1,2 --private-keys keys    type 1 too; name that folder in the gateway's"
                    + " private-key-files",
            "  curl -X POST http://127.0.0.1:9300/roll           a new key now"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class IssuerCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9300",
            description = "Address to listen on; port 0 selects a free port; default: ${DEFAULT-VALUE}.")
    private String address = "127.0.0.1:9300";

    @Option(
            names = "--types",
            split = ",",
            paramLabel = "TYPE",
            defaultValue = "2",
            description = "Token types, in the order in which the directory lists them; default: ${DEFAULT-VALUE}.")
    private List<Integer> types = List.of(2);

    @Option(
            names = "--private-keys",
            paramLabel = "FOLDER",
            defaultValue = "",
            description =
                    "Folder for the secret keys of type 1, for gateways: one file each, which stays when its key is"
                            + " retired.")
    private String privateKeys = "";

    @Option(
            names = "--max-age",
            defaultValue = "5m",
            description = "How long the directory may be cached; default: ${DEFAULT-VALUE}.")
    private String maxAge = "5m";

    @Option(
            names = "--rotate-every",
            defaultValue = "0",
            description = "Interval between new keys; 0 for never; default: ${DEFAULT-VALUE}.")
    private String rotateEvery = "0";

    @Option(
            names = "--announce",
            defaultValue = "0",
            description = "How long a new key is listed before clients use it (not-before); default: ${DEFAULT-VALUE}.")
    private String announce = "0";

    @Option(
            names = "--keep",
            defaultValue = "2",
            description = "Keys of each type that stay listed when a new one is added; default: ${DEFAULT-VALUE}.")
    private int keep = 2;

    @Option(names = "--json", description = "Print name, directory and key id as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        HostPort endpoint = OptionParsers.read("--address", address, HostPort::of);
        Duration every = OptionParsers.read("--rotate-every", rotateEvery, DurationText::parse);
        try (DevelopmentIssuer issuer = start(endpoint, options())) {
            print(issuer);
            Signals.onHangUp(() -> roll(issuer));
            while (!every.isZero()) {
                TimeUnit.NANOSECONDS.sleep(every.toNanos());
                roll(issuer);
            }
            new CountDownLatch(1).await();
        }
        return 0;
    }

    private DevelopmentIssuer.Options options() {
        List<TokenType> known = new ArrayList<>();
        for (int type : types) {
            TokenType found = TokenType.of(type);
            if (found == null || known.contains(found)) {
                throw new WrongArgument("--types: " + type + " (expected: each once of " + TokenScheme.types() + ")");
            }
            known.add(found);
        }
        if (known.isEmpty()) {
            throw new WrongArgument("--types: none (expected: one of " + TokenScheme.types() + ")");
        }
        KeyFolder folder = privateKeys.isEmpty() ? null : new KeyFolder(Path.of(privateKeys));
        return new DevelopmentIssuer.Options(
                known,
                OptionParsers.read("--max-age", maxAge, DurationText::parse),
                rolling(),
                InstantSource.system(),
                folder == null ? IssuerCommand::needsNoFolder : folder::write);
    }

    private DevelopmentIssuer.Rolling rolling() {
        try {
            return new DevelopmentIssuer.Rolling(OptionParsers.read("--announce", announce, DurationText::parse), keep);
        } catch (IllegalArgumentException e) {
            throw new WrongArgument(String.valueOf(e.getMessage()));
        }
    }

    private static void needsNoFolder(IssuingKey key) {
        if (!key.secretFile().isEmpty()) {
            throw new WrongArgument("--private-keys: none (expected: a folder, since gateways need the secret"
                    + " keys of type " + key.published().type().value() + ")");
        }
    }

    private void roll(DevelopmentIssuer issuer) {
        issuer.roll();
        PrintWriter out = spec.commandLine().getOut();
        out.println("new keys; clients use " + issuer.key().id());
        out.flush();
    }

    private static DevelopmentIssuer start(HostPort endpoint, DevelopmentIssuer.Options options) throws IOException {
        try {
            return DevelopmentIssuer.start(endpoint.resolve(), options);
        } catch (IOException e) {
            throw new IOException(
                    "--address: " + endpoint + ": " + FailureText.of(e) + " (expected: a free address)", e);
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
            String secrets = privateKeys.isEmpty()
                    ? ""
                    : ", private-key-files: [\"" + Path.of(privateKeys).toAbsolutePath() + "\"]";
            String asked = types.equals(List.of(2)) ? "" : "token-types: " + types + ", ";
            out.println("issuer " + issuer.name() + ", key " + issuer.key().id());
            out.println("for the gateway's configuration:");
            out.println("  privacy-pass: {" + asked + "issuers: [{name: \"" + issuer.name() + "\", directory: \""
                    + issuer.directoryUri() + "\"" + secrets + "}]}");
        }
        out.flush();
    }

    /** Folder in which an issuer writes secret keys for gateways. Each file is written atomically and is readable only by its owner. */
    static final class KeyFolder {

        private final Path folder;

        KeyFolder(Path folder) {
            this.folder = folder;
        }

        /** Writes the key as {@code <key id>.key}. Writes nothing for a token type that is verified with the public key. */
        void write(IssuingKey key) {
            if (key.secretFile().isEmpty()) {
                return;
            }
            try {
                Files.createDirectories(folder);
                // Created with owner permissions only, under a temporary name, so that no gateway reads a partial key.
                Path draft = Files.createTempFile(
                        folder,
                        "new",
                        ".tmp",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.write(draft, key.secretFile().getBytes(US_ASCII));
                Files.move(draft, folder.resolve(key.published().id() + ".key"), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "--private-keys: " + folder + " (expected: a folder that can be written)", e);
            }
        }
    }
}
