package dev.postern.app.config.read;

import dev.postern.app.config.type.Mask;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Lists every effective value with its origin; secrets are masked. */
final class EffectiveValues {

    private final ConfigNode configNode;
    private final List<LoadedConfig.Effective> values = new ArrayList<>();

    private EffectiveValues(ConfigNode configNode) {
        this.configNode = configNode;
    }

    static List<LoadedConfig.Effective> of(ConfigSchema root, JsonNode whole, ConfigNode configNode) {
        EffectiveValues values = new EffectiveValues(configNode);
        values.visit(root, whole, "", false);
        return List.copyOf(values.values);
    }

    private void visit(ConfigSchema schema, JsonNode node, String path, boolean secret) {
        if (node.isNull() || schema.kind() == ConfigSchema.Kind.LEAF) {
            add(path, node.isNull() ? "null" : secret ? masked(node.asString()) : Mask.message(node.asString()));
        } else if (schema.kind() == ConfigSchema.Kind.RECORD) {
            for (ConfigSchema.Field field : schema.fields()) {
                boolean hidden = field.about().secret();
                visit(field.schema(), node.path(field.key()), ConfigNode.child(path, field.key()), hidden);
            }
            emptyCollection(node, path, "{}");
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                visit(schema.element(), node.path(i), ConfigNode.child(path, Integer.toString(i)), secret);
            }
            emptyCollection(node, path, "[]");
        } else {
            node.properties()
                    .forEach(e -> visit(schema.element(), e.getValue(), ConfigNode.child(path, e.getKey()), secret));
            emptyCollection(node, path, "{}");
        }
    }

    private void emptyCollection(JsonNode node, String path, String text) {
        if (node.isEmpty()) {
            add(path, text);
        }
    }

    private void add(String path, String value) {
        values.add(new LoadedConfig.Effective(ConfigNode.dotted(path), value, configNode.origin(path)));
    }

    /** Masks a secret value. Addresses stay readable: only the part before the @ is secret. */
    private static String masked(String value) {
        return value.contains("://") ? Mask.value(value) : "***";
    }
}
