package dev.postern.app.context;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Baseline: the recorded report of a good run, compared with later reports. Immutable. */
public final class Baseline {

    /** Factor by which a cost may exceed the recorded one. */
    private static final double TOLERANCE = 1.10;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<String, String> found;

    private Baseline(Map<String, String> found) {
        this.found = Map.copyOf(found);
    }

    /**
     * Parses the JSON of {@code /context} or {@code postern context --json}.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static Baseline parse(String json) {
        try {
            JsonNode items = JSON.readTree(json);
            if (!items.isArray()) {
                throw new IllegalArgumentException("no list (expected: what postern context --json prints)");
            }
            Map<String, String> found = new LinkedHashMap<>();
            items.forEach(item ->
                    found.put(item.path("item").asString(""), item.path("found").asString("")));
            return new Baseline(found);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no JSON (expected: what postern context --json prints)", e);
        }
    }

    /**
     * Replaces the wanted values of the report by those of the recorded run. Items that the recorded run does not contain stay unchanged.
     */
    public List<ContextItem> compare(List<ContextItem> current) {
        return current.stream().map(this::compare).toList();
    }

    private ContextItem compare(ContextItem now) {
        String following = found.getOrDefault(now.item(), "");
        return switch (now.kind()) {
            case MEASURE -> now;
            case SETTING ->
                following.isEmpty()
                        ? now
                        : ContextItem.judged(
                                now.item(), following, now.found(), following.equals(now.found()), advice(now));
            case COST -> following.isEmpty() || now.found().isEmpty() ? now : cost(now, following);
        };
    }

    private static String advice(ContextItem now) {
        return now.advice().isEmpty()
                ? "The recorded run had another value. If the new value is intended, record a new baseline."
                : now.advice();
    }

    private static ContextItem cost(ContextItem now, String following) {
        boolean good = Double.parseDouble(now.found()) <= Double.parseDouble(following) * TOLERANCE;
        return new ContextItem(
                now.item(),
                ContextItem.Kind.COST,
                "at most " + following + " and a tenth",
                now.found(),
                good ? ContextItem.Verdict.OK : ContextItem.Verdict.DRIFT,
                good
                        ? ""
                        : "Compare POST /flamegraph with a graph of the recorded run, and look at the other items here.");
    }
}
