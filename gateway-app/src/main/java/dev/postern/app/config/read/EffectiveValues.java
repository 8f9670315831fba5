package dev.postern.app.config.read;

import dev.postern.app.config.type.Mask;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Lists every value in force with its origin; secrets are masked. */
final class EffectiveValues {

    private final ConfigNode tree;
    private final List<LoadedConfig.Effective> values = new ArrayList<>();

    private EffectiveValues(ConfigNode tree) {
        this.tree = tree;
    }

    static List<LoadedConfig.Effective> of(ConfigSchema root, JsonNode whole, ConfigNode tree) {
        EffectiveValues values = new EffectiveValues(tree);
        values.visit(root, whole, "", false);
        return List.copyOf(values.values);
    }

    private void visit(ConfigSchema shape, JsonNode node, String path, boolean secret) {
        if (node.isNull() || shape.kind() == ConfigSchema.Kind.LEAF) {
            add(path, node.isNull() ? "null" : secret ? masked(node.asString()) : Mask.message(node.asString()));
        } else if (shape.kind() == ConfigSchema.Kind.RECORD) {
            for (ConfigSchema.Field field : shape.fields()) {
                boolean hidden = field.about().secret();
                visit(field.shape(), node.path(field.key()), ConfigNode.child(path, field.key()), hidden);
            }
            emptyCollection(node, path, "{}");
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                visit(shape.element(), node.path(i), ConfigNode.child(path, Integer.toString(i)), secret);
            }
            emptyCollection(node, path, "[]");
        } else {
            node.properties()
                    .forEach(e -> visit(shape.element(), e.getValue(), ConfigNode.child(path, e.getKey()), secret));
            emptyCollection(node, path, "{}");
        }
    }

    private void emptyCollection(JsonNode node, String path, String text) {
        if (node.isEmpty()) {
            add(path, text);
        }
    }

    private void add(String path, String value) {
        values.add(new LoadedConfig.Effective(ConfigNode.dotted(path), value, tree.origin(path)));
    }

    /** Addresses stay readable: only what stands before the @ is secret. */
    private static String masked(String value) {
        return value.contains("://") ? Mask.value(value) : "***";
    }
}
