package dev.postern.app.cli;

import dev.postern.app.cli.option.AdminAddress;
import dev.postern.app.client.ClientResponse;
import dev.postern.app.context.Baseline;
import dev.postern.app.context.ContextItem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;

/** Command that prints the hidden context of a running gateway, or compares it with a recorded one. */
@Command(
        name = "context",
        description = "Prints the settings outside the code that determine performance, read from a running gateway.",
        footer = {
            "  postern context",
            "  postern context --json > baseline.json        record a baseline",
            "  postern context --baseline baseline.json      exit code 1 if the context has drifted from it"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class ContextCommand implements Callable<Integer> {

    @Mixin
    private AdminAddress admin;

    @Spec
    private CommandSpec spec;

    @Option(names = "--baseline", paramLabel = "FILE", description = "Baseline recorded with --json.")
    private @Nullable Path baseline;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ClientResponse response = admin.get("/context");
        if (response.status() != 200) {
            String token = response.status() == 401 ? ", with --token-file" : "";
            throw new IOException("/context: status " + response.status() + " (expected: 200" + token + ")");
        }
        Path recorded = baseline;
        if (recorded != null) {
            Baseline then = Baseline.parse(Files.readString(recorded));
            return drifted(out, then.compare(items(response.body())));
        }
        if (json) {
            out.println(response.body().trim());
            return 0;
        }
        items(response.body()).forEach(item -> print(out, item));
        return 0;
    }

    private static void print(PrintWriter out, ContextItem item) {
        String found = item.found().isEmpty() ? "can't be read" : item.found();
        out.printf("%-7s %-45s %s%n", item.verdict().label(), item.item(), found);
        if (item.drifted()) {
            out.printf("        wanted: %s. %s%n", item.wanted(), item.advice());
        } else if (!item.advice().isEmpty()) {
            out.printf("        %s%n", item.advice());
        }
    }

    private static int drifted(PrintWriter out, List<ContextItem> items) {
        List<ContextItem> drifted = items.stream().filter(ContextItem::drifted).toList();
        drifted.forEach(item -> print(out, item));
        out.println(drifted.isEmpty() ? "no drift" : drifted.size() + " drifted");
        return drifted.isEmpty() ? 0 : 1;
    }

    private static List<ContextItem> items(String body) {
        try {
            return List.of(Json.MAPPER.readValue(body, ContextItem[].class));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("/context: broken (expected: a list of items)", e);
        }
    }
}
