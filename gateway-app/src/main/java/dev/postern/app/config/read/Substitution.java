package dev.postern.app.config.read;

import dev.postern.app.config.type.Mask;
import dev.postern.core.config.ForeignPattern;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replaces references in values: <code>${NAME}</code> by a variable of the environment, <code>${file:NAME}</code> by the content of a file.
 * <code>$${</code> stands for <code>${</code>. What comes from outside stays one text: it is neither YAML nor searched for references.
 */
final class Substitution {

    private static final int LARGEST = 64 * 1024;
    private static final String FILE = "file:";
    private static final String ESCAPE = "$${ for the characters themselves";
    private static final String UNKNOWN = "a variable of the environment, or " + ESCAPE;
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)\\}|\\$\\{");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Map<String, String> environment;
    private final SourceFiles.Reader files;
    private final FileModes modes;
    private final Findings findings;
    private final WrittenForms forms;
    private final Set<String> variables = new HashSet<>();

    /**
     * @param environment all variables
     * @param files reads files, relative to the folder of the configuration
     */
    Substitution(Map<String, String> environment, SourceFiles.Reader files, Findings findings) {
        this.environment = environment;
        this.files = files;
        this.findings = findings;
        this.forms = findings.forms();
        this.modes = new FileModes(findings);
    }

    /** Replaces the references in a tree; values with a faulty reference are reported and become stand-ins. */
    void run(ObjectNode root) {
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            entry.setValue(replaced(entry.getValue(), entry.getKey()));
        }
    }

    /** Returns the names of the variables that values refer to. */
    Set<String> variables() {
        return Set.copyOf(variables);
    }

    private JsonNode replaced(JsonNode node, String path) {
        if (node instanceof ObjectNode keys) {
            for (Map.Entry<String, JsonNode> entry : keys.properties()) {
                entry.setValue(replaced(entry.getValue(), ConfigNode.child(path, entry.getKey())));
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, replaced(list.get(i), ConfigNode.child(path, Integer.toString(i))));
            }
        } else if (node.isString() && node.asString().contains("${")) {
            return JsonNodeFactory.instance.stringNode(text(node.asString(), path));
        }
        return node;
    }

    private String text(String written, String path) {
        StringBuilder whole = new StringBuilder();
        Matcher reference = REFERENCE.matcher(written);
        boolean outside = false;
        while (reference.find()) {
            String found = reference.group();
            String name = reference.group(1);
            String value = found.equals("$${") ? "${" : name == null ? null : value(name, path, written);
            if (value == null) {
                if (name == null) {
                    problem(path, "${ without }", "${NAME}, ${file:NAME}, or " + ESCAPE);
                }
                findings.unresolved(path);
                return written;
            }
            if (name != null) {
                outside = true;
                forms.add(value, found);
            }
            reference.appendReplacement(whole, Matcher.quoteReplacement(value));
        }
        reference.appendTail(whole);
        if (outside) {
            forms.add(path, whole.toString(), written);
        }
        return whole.toString();
    }

    private @Nullable String value(String name, String path, String written) {
        // What is meant as a part of a password is no name to show.
        boolean secret = !Mask.value(written).contains("${" + name + "}");
        String shown = secret ? ShownText.HIDDEN : "${" + ShownText.line(name) + "}";
        if (name.startsWith(FILE)) {
            return content(name.substring(FILE.length()), path, shown);
        }
        variables.add(name);
        String value = environment.get(name);
        if (value == null) {
            problem(path, shown + ": not set", secret ? UNKNOWN : expected(name));
        }
        return value;
    }

    private static String expected(String name) {
        if (!NAME.matcher(name).matches()) {
            String bare = name.replaceFirst("[^A-Za-z0-9_].*", "");
            boolean fallback = NAME.matcher(bare).matches() && name.startsWith(bare + ":");
            return (fallback ? "${" + bare + "}, without a default, " : "${NAME}, ${file:NAME}, ") + "or " + ESCAPE;
        }
        ForeignPattern foreign = ForeignPattern.ofTemplate("$" + name);
        String request = foreign == null ? "" : ", or a value of the request: " + foreign.text();
        return "a variable of the environment" + request + ", or " + ESCAPE;
    }

    private @Nullable String content(String name, String path, String shown) {
        try {
            Path file = files.resolve(name);
            String content = files.read(file);
            if (content.length() > LARGEST) {
                problem(path, shown, "a file of up to " + LARGEST + " characters");
                return null;
            }
            modes.trusted(path, file);
            // Editors and `echo` end a file with a line break.
            return content.replaceFirst("\r?\n\\z", "");
        } catch (CharacterCodingException e) {
            problem(path, shown, "text in UTF-8");
        } catch (IOException | InvalidPathException e) {
            problem(path, shown, "a file that can be read");
        }
        return null;
    }

    private void problem(String path, String found, String expected) {
        findings.problem(path, found + " (expected: " + expected + ")");
    }
}
