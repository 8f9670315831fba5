package dev.postern.app.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Lines of the demo's exchange log, kept for comparison with its steps. Thread-safe. */
final class ExchangeLines implements Consumer<String> {

    private static final int MAX = 1000;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Consumer<String> next;

    ExchangeLines(Consumer<String> next) {
        this.next = next;
    }

    @Override
    public void accept(String line) {
        if (lines.size() < MAX) {
            lines.add(line);
        }
        next.accept(line);
    }

    /** Counts the lines that contain all of the texts. */
    long count(String... texts) {
        return lines.stream()
                .filter(line -> List.of(texts).stream().allMatch(line::contains))
                .count();
    }
}
