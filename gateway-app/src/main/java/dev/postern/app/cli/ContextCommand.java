package dev.postern.app.cli;

import dev.postern.app.client.Reply;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Prints the hidden context of a running gateway, or compares it with a recorded one. */
@Command(
        name = "context",
        description = "The settings outside the code that decide performance, as a running gateway reads them back.",
        footer = {
            "  postern context",
            "  postern context --json > baseline.json        record what is good",
            "  postern context --baseline baseline.json      exit code 1 where it has drifted from that"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class ContextCommand implements Callable<Integer> {

    @Mixin
    private AdminAddress admin;

    @Spec
    private CommandSpec spec;

    @Option(names = "--baseline", paramLabel = "FILE", description = "What --json printed when all was well.")
    private @Nullable Path baseline;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Reply reply = admin.get("/context");
        if (reply.status() != 200) {
            throw new IOException("/context: status " + reply.status() + " (expected: 200)");
        }
        Path recorded = baseline;
        if (recorded != null) {
            return compare(out, items(reply.body()), items(Files.readString(recorded)));
        }
        if (json) {
            out.println(reply.body().trim());
            return 0;
        }
        for (JsonNode item : items(reply.body()).values()) {
            out.printf("%-7s %-45s %s%n", text(item, "verdict"), text(item, "item"), text(item, "found"));
            if (!text(item, "advice").isEmpty()) {
                out.printf("        wanted: %s. %s%n", text(item, "wanted"), text(item, "advice"));
            }
        }
        return 0;
    }

    private static int compare(PrintWriter out, Map<String, JsonNode> now, Map<String, JsonNode> then) {
        List<String> drifted = new ArrayList<>();
        then.forEach((name, item) -> {
            JsonNode current = now.get(name);
            String found = current == null ? "nothing" : text(current, "found");
            if (!found.equals(text(item, "found"))) {
                drifted.add(name + ": " + found + " (baseline: " + text(item, "found") + ")");
            }
        });
        drifted.forEach(out::println);
        out.println(drifted.isEmpty() ? "no drift" : drifted.size() + " drifted");
        return drifted.isEmpty() ? 0 : 1;
    }

    private static Map<String, JsonNode> items(String body) {
        try {
            Map<String, JsonNode> items = new LinkedHashMap<>();
            Json.MAPPER.readTree(body).forEach(item -> items.put(text(item, "item"), item));
            return items;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("context: broken (expected: JSON as --json prints it)", e);
        }
    }

    private static String text(JsonNode item, String key) {
        return item.path(key).asString("");
    }
}
