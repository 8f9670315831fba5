package dev.postern.app.flame;

import dev.postern.app.profile.ProfileEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** Query of a request to {@code /flamegraph}. */
sealed interface FlameQuery {

    /** Takes a new graph. */
    record Take(ProfileEvent event, Duration length) implements FlameQuery {}

    /** Shows a kept graph. */
    record Show(int id) implements FlameQuery {}

    /** Compares two kept graphs. */
    record Compare(int before, int now) implements FlameQuery {}

    int LONGEST_SECONDS = 60;

    /**
     * @param parameter returns the value of the named parameter, or the second text if there is none
     * @throws IllegalArgumentException with the value and the expected value
     */
    static FlameQuery of(BinaryOperator<String> parameter) {
        String compare = parameter.apply("compare", "");
        String id = parameter.apply("id", "");
        if (!compare.isEmpty()) {
            List<String> two = List.of(compare.split(",", -1));
            int before = number("compare", two.get(0), Integer.MAX_VALUE);
            if (two.size() != 2) {
                throw new IllegalArgumentException("compare: " + compare + " (expected: two ids, such as 1,2)");
            }
            return new Compare(before, number("compare", two.get(1), Integer.MAX_VALUE));
        }
        if (!id.isEmpty()) {
            return new Show(number("id", id, Integer.MAX_VALUE));
        }
        String event = parameter.apply("event", "cpu");
        int seconds = number("seconds", parameter.apply("seconds", "10"), LONGEST_SECONDS);
        return new Take(
                ProfileEvent.of(event)
                        .orElseThrow(() -> new IllegalArgumentException("event: " + event + " (expected: "
                                + Arrays.stream(ProfileEvent.values())
                                        .map(ProfileEvent::label)
                                        .collect(Collectors.joining(" | "))
                                + ")")),
                Duration.ofSeconds(seconds));
    }

    private static int number(String name, String text, int most) {
        String digits = text.matches("[0-9]{1,9}") ? text : "0";
        int number = Integer.parseInt(digits);
        if (number < 1 || number > most) {
            String expected = most == Integer.MAX_VALUE ? "the number of a graph" : "1.." + most;
            throw new IllegalArgumentException(name + ": " + text + " (expected: " + expected + ")");
        }
        return number;
    }
}
