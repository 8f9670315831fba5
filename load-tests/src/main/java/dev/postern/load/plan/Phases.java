package dev.postern.load.plan;

import java.util.ArrayList;
import java.util.List;

/** Phases of a simulation, one after the other. Rates are those of arrivals: slow responses do not lower them. */
public record Phases(List<Phase> list) {
    /** Name of the phase that is not judged: the first requests of a JVM that sends are slow, whatever the gateway does. */
    static final String WARM_UP = "warm-up";
    /** Number of judged phases of a soak. */
    public static final int SLICES = 40;

    private static final int LONGEST_WARM_UP = 20 * 60;

    /** Returns a warm-up, then levels whose rate rises by the same step; each is named after its rate. */
    public static Phases ramp(Settings settings) {
        int from = settings.number(Parameter.FROM);
        int seconds = settings.number(Parameter.LEVEL_SECONDS);
        int warmUp = settings.number(Parameter.WARM_UP_SECONDS);
        List<Phase> list = new ArrayList<>();
        if (warmUp > 0) {
            list.add(new Phase(WARM_UP, 0, from, warmUp));
        }
        for (int i = 0; i < settings.number(Parameter.LEVELS); i++) {
            int rate = from + i * settings.number(Parameter.STEP);
            list.add(new Phase(rate + "/s", warmUp + i * seconds, rate, seconds));
        }
        return new Phases(list);
    }

    /** Returns a peak between two phases of the same calm rate. */
    public static Phases spike(Settings settings) {
        int calm = settings.number(Parameter.CALM);
        int calmSeconds = settings.number(Parameter.CALM_SECONDS);
        int peakSeconds = settings.number(Parameter.PEAK_SECONDS);
        return new Phases(List.of(
                new Phase("before", 0, calm, calmSeconds),
                new Phase("peak", calmSeconds, settings.number(Parameter.PEAK), peakSeconds),
                new Phase("after", calmSeconds + peakSeconds, calm, calmSeconds)));
    }

    /**
     * Returns a warm-up of 20 minutes, or of a third of a shorter run, then {@link #SLICES} phases of equal length at the constant rate: each
     * is a minute in a run of an hour.
     */
    public static Phases soak(Settings settings) {
        int rate = settings.number(Parameter.CONSTANT);
        int seconds = 60 * settings.number(Parameter.MINUTES);
        int warmUp = Math.min(LONGEST_WARM_UP, seconds / 3);
        int length = Math.max(1, (seconds - warmUp) / SLICES);
        List<Phase> list =
                new ArrayList<>(List.of(new Phase(WARM_UP, 0, settings.number(Parameter.WARM_UP_RATE), warmUp)));
        for (int i = 0; i < SLICES; i++) {
            list.add(new Phase(String.valueOf(i + 1), warmUp + i * length, rate, length));
        }
        return new Phases(list);
    }

    /** Returns the phase at this time; after the end, the last one. */
    public Phase at(double seconds) {
        Phase found = list.get(0);
        for (Phase phase : list) {
            if (phase.start() <= seconds) {
                found = phase;
            }
        }
        return found;
    }

    /** Returns the seconds from the first arrival to the last one. */
    public int seconds() {
        return list.stream().mapToInt(Phase::seconds).sum();
    }

    /** Returns the phases that are judged. */
    public List<Phase> judged() {
        return list.stream().filter(phase -> !phase.name().equals(WARM_UP)).toList();
    }

    /** Returns the number of arrivals, each with a token of its own. */
    public int users() {
        return list.stream().mapToInt(Phase::users).sum();
    }

    /** Returns the tokens of the phase at this index. */
    public List<String> share(List<String> tokens, int index) {
        int from = list.subList(0, index).stream().mapToInt(Phase::users).sum();
        return tokens.subList(from, from + list.get(index).users());
    }
}
