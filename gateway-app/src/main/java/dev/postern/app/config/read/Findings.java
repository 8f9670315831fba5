package dev.postern.app.config.read;

import dev.postern.app.config.type.Mask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Findings about a configuration, each with its place: problems, which make the configuration invalid, and warnings.
 *
 * <p>A stand-in replaces each refused value, so that the other values can be checked. Findings about stand-ins are dropped.
 */
final class Findings {

    private final ConfigNode node;
    private final List<Problem> problems;
    private final List<Problem> warnings;
    private final Set<String> standIns = new HashSet<>();
    private final Set<String> unresolved = new HashSet<>();
    private final WrittenForms forms = new WrittenForms();

    /** @param problems found so far, such as syntax errors; as are {@code warnings} */
    Findings(ConfigNode node, List<Problem> problems, List<Problem> warnings) {
        this.node = node;
        this.problems = problems;
        this.warnings = warnings;
    }

    /** Returns the written forms of values from outside, which messages show. */
    WrittenForms forms() {
        return forms;
    }

    /** Adds a problem that has its own place. */
    void problem(Problem problem) {
        problems.add(problem);
    }

    void problem(String path, String text) {
        add(problems, path, text);
    }

    void warning(String path, String text) {
        add(warnings, path, text);
    }

    /**
     * Warns of a value without effect.
     *
     * @param value empty for more than one line
     * @param conditions of which one would give it an effect
     * @param removed what the operator may remove instead
     */
    void withoutEffect(String path, String value, List<String> conditions, String removed) {
        warning(
                path,
                (value.isEmpty() ? "" : value + ": ") + "no effect without " + String.join(" or ", conditions)
                        + (conditions.size() == 1 ? "; set that, or remove " : "; set one, or remove ") + removed);
    }

    private void add(List<Problem> target, String path, String text) {
        if (!isStandIn(path)) {
            String shown = Mask.message(forms.message(path, text));
            target.add(new Problem(node.given(path), ConfigNode.dotted(path), shown));
        }
    }

    /** Returns whether the value at that path, or one that contains it, is a stand-in. */
    boolean isStandIn(String path) {
        for (String position = path; !position.isEmpty(); position = ConfigNode.parent(position)) {
            if (standIns.contains(position)) {
                return true;
            }
        }
        return false;
    }

    /** Marks a path whose value is a stand-in and not the operator's value. */
    void standIn(String path) {
        standIns.add(path);
    }

    /** Marks a path whose value can't be known, which was reported; a stand-in replaces it. */
    void unresolved(String path) {
        standIns.add(path);
        unresolved.add(path);
    }

    /** Returns, once, whether a stand-in has to replace the value at that path, which can't be known. */
    boolean takeUnresolved(String path) {
        return unresolved.remove(path);
    }

    /** Returns the key and origin of the value at that path, for messages. */
    String location(String path) {
        return ConfigNode.dotted(path) + " (" + node.given(path) + ")";
    }

    boolean isGiven(String path) {
        return node.origin(path).rank() > 0;
    }

    int count() {
        return problems.size();
    }

    /** Returns the problems in the order of their places, at most one for each value. */
    List<Problem> problems() {
        return sorted(problems);
    }

    List<Problem> warnings() {
        return sorted(warnings);
    }

    private static List<Problem> sorted(List<Problem> found) {
        List<Problem> first = new ArrayList<>();
        for (Problem one : found) {
            boolean known = first.stream()
                    .anyMatch(p -> p.at().equals(one.at()) && p.key().equals(one.key()));
            if (!known) {
                first.add(one);
            }
        }
        first.sort(Problem.ORDER);
        return List.copyOf(first);
    }
}
