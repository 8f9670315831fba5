package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.cli.init.FirstFiles;
import dev.postern.app.cli.init.Interview;
import dev.postern.app.cli.init.Questions;
import dev.postern.app.config.read.LoadedConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that writes a first configuration, by three questions or by options. */
@Command(
        name = "init",
        description = "Writes a first configuration with comments. Asks three questions: those that no option answers.",
        footer = {
            "  postern init",
            "  postern init --upstream 127.0.0.1:9000 --host shop.example --room 500",
            "  postern init -o /etc/postern/gateway.yaml --upstream https://shop.internal --host shop.example"
                    + " --certificate-file shop.crt --private-key-file shop.key --issuer issuer.example"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class InitCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "File to write, which must be new; default: ${DEFAULT-VALUE}. The key ring is the file ring"
                    + " beside it, which is kept if it exists.",
            defaultValue = "gateway.yaml")
    private Path output;

    @Option(names = "--upstream", paramLabel = "ADDRESS", description = "Address of the site, such as 127.0.0.1:9000.")
    private @Nullable String upstream;

    @Option(names = "--host", paramLabel = "NAME", description = "Host name that visitors use.")
    private @Nullable String host;

    @Option(
            names = "--certificate-file",
            paramLabel = "FILE",
            description = "Certificate chain of the host, PEM; without it another program ends TLS.")
    private @Nullable Path certificate;

    @Option(names = "--private-key-file", paramLabel = "FILE", description = "Private key of the certificate, PEM.")
    private @Nullable Path key;

    @Option(
            names = "--room",
            paramLabel = "PEOPLE",
            description = "Number of people on the site at a time; the others wait.")
    private @Nullable String room;

    @Option(names = "--issuer", paramLabel = "NAME", description = "Issuer of the tokens that visitors bring.")
    private @Nullable String issuer;

    @Override
    public Integer call() throws IOException {
        if (Files.exists(output)) {
            throw new IOException(output + ": exists (expected: a new file; move it away, or name another with -o)");
        }
        PrintWriter out = spec.commandLine().getOut();
        Interview interview = new Interview(
                new Interview.Options(upstream, host, certificate, key, room, issuer),
                new Questions(new BufferedReader(new InputStreamReader(System.in, UTF_8)), out));
        FirstFiles files = new FirstFiles(output);
        LoadedConfig config = files.write(interview);
        config.warnings().forEach(warning -> out.println("warning: " + warning));
        if (!config.good()) {
            config.problems().forEach(spec.commandLine().getErr()::println);
            return 1;
        }
        files.written().forEach(file -> out.println("written: " + file));
        out.println("next: postern check -c " + output + " --connect, then postern run -c " + output);
        return 0;
    }
}
