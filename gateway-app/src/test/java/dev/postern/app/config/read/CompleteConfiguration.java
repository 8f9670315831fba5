package dev.postern.app.config.read;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Valid configuration that contains every record of keys once, and the files that it names, for tests that change single values. */
final class CompleteConfiguration {

    private static final YAMLMapper MAPPER =
            YAMLMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** Used only for keys of certificates: reading these takes longer than all the rest. */
    private static final String TLS =
            "{certificates: [{certificate-file: it.crt, private-key-file: it.key}], client-ca-file: it.crt}";

    private static final String TEXT = """
        secrets: {ring-file: ring}
        admin: {address: "127.0.0.1:0", token-file: token, tokens: [{name: alice, file: token}]}
        listeners:
          - name: web
            address: 127.0.0.1:0
          - {name: out, address: "127.0.0.1:0", mode: forward, forward: default}
        transport: {kind: nio, event-loops: 1}
        privacy-pass:
          issuers:
            - {name: issuer.example, directory: null, public-keys: ["{key}"]}
        rate-limits:
          - name: site
            rate: 10/s
            fair-queue: {crawlers: {bot: [bot.example]}, tenants: {by: host, weights: {a.example: 2}}}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:9000"]}
        routes:
          - host: a.example
            path: /a
            upstream: app
            rate-limit: site
            redirect: {to: "https://{host}/b"}
            maintenance: {}
            headers: {set: {X-A: a}, add: {X-B: b}, response: {set: {X-C: c}, add: {X-D: d}}}
        forward: {default: {}}
        """;

    private final Path folder;
    private final JsonNode root;

    private CompleteConfiguration(Path folder, JsonNode root) {
        this.folder = folder;
        this.root = root;
    }

    /** Writes its files to that folder. */
    static CompleteConfiguration in(Path folder) throws IOException {
        TestCertificate.ec(folder, "it", "dns:a.example");
        Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
        Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
        return new CompleteConfiguration(
                folder, MAPPER.readTree(TEXT.replace("{key}", TokenMint.shared().publicKey())));
    }

    /** Reads the configuration with changed values, as YAML, at dotted keys. */
    LoadedConfig with(Map<String, String> values) {
        return new ConfigReader(Map.of(), List.of()).read("gateway.yaml", text(values), folder);
    }

    String text(Map<String, String> values) {
        JsonNode changed = root.deepCopy();
        for (String at : List.of("listeners.0.tls", "admin.tls")) {
            if (values.keySet().stream().anyMatch(key -> key.startsWith(at + "."))) {
                put(changed, List.of(at.split("\\.")), MAPPER.readTree(TLS));
            }
        }
        values.forEach((key, value) -> put(changed, List.of(key.split("\\.")), MAPPER.readTree(value)));
        return MAPPER.writeValueAsString(changed);
    }

    Path folder() {
        return folder;
    }

    private static void put(JsonNode node, List<String> path, JsonNode value) {
        String key = path.get(0);
        if (path.size() == 1) {
            set(node, key, value);
            return;
        }
        JsonNode next = node instanceof ArrayNode list ? list.get(Integer.parseInt(key)) : node.get(key);
        if (next == null || !next.isContainer()) {
            boolean list = path.get(1).matches("\\d+");
            next = list ? JsonNodeFactory.instance.arrayNode() : JsonNodeFactory.instance.objectNode();
            set(node, key, next);
        }
        put(next, path.subList(1, path.size()), value);
    }

    private static void set(JsonNode node, String key, JsonNode value) {
        if (node instanceof ArrayNode list) {
            int index = Integer.parseInt(key);
            if (index < list.size()) {
                list.set(index, value);
            } else {
                list.add(value);
            }
        } else {
            ((ObjectNode) node).set(key, value);
        }
    }
}
