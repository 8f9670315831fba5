package dev.postern.load.plan;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Settings of one run: values of parameters, or their defaults.
 *
 * @param given values by the parameter's key
 */
public record Settings(Map<String, String> given) {
    /** Returns the settings of this process, from its system properties. */
    public static Settings ofSystem() {
        return new Settings(System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, System::getProperty)));
    }

    public String text(Parameter parameter) {
        return given.getOrDefault(parameter.key(), parameter.otherwise());
    }

    /** Returns a whole number that is not negative. */
    public int number(Parameter parameter) {
        String value = text(parameter);
        try {
            return Integer.parseUnsignedInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    parameter.key() + ": " + value + " (expected: a whole number, 0 or more)", e);
        }
    }

    /** Returns a line for each parameter of the simulation, for the start of its output. */
    public String lines(String simulation) {
        return Parameter.of(simulation).stream()
                .map(parameter -> "  -D" + parameter.key() + "=" + text(parameter)
                        + (given.containsKey(parameter.key()) ? "" : "  (default)") + "\n")
                .collect(Collectors.joining());
    }
}
