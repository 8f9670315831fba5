package dev.postern.app.flame;

import dev.postern.app.profile.ProfileEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** Query of a request to {@code /flamegraph}. */
record FlameQuery(ProfileEvent event, Duration length) {

    static final int MAX_SECONDS = 60;

    /**
     * @param parameter returns the value of the named parameter, or the second text if there is none
     * @throws IllegalArgumentException with the value and the expected value
     */
    static FlameQuery of(BinaryOperator<String> parameter) {
        Duration length = length(parameter.apply("seconds", "10"));
        String event = parameter.apply("event", "cpu");
        return new FlameQuery(ProfileEvent.of(event).orElseThrow(() -> unknown(event)), length);
    }

    private static Duration length(String text) {
        int seconds = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (seconds < 1 || seconds > MAX_SECONDS) {
            throw new IllegalArgumentException("seconds: " + text + " (expected: 1.." + MAX_SECONDS + ")");
        }
        return Duration.ofSeconds(seconds);
    }

    private static IllegalArgumentException unknown(String event) {
        String events =
                Arrays.stream(ProfileEvent.values()).map(ProfileEvent::label).collect(Collectors.joining(" | "));
        return new IllegalArgumentException("event: " + event + " (expected: " + events + ")");
    }
}
