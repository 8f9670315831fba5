package dev.postern.app.context;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Item of the hidden context: the wanted value, the value in force, and the advice if they differ.
 *
 * @param item stable name of the item
 * @param kind of the comparison with a recorded run
 * @param wanted our recommendation, or the value of a recorded run; empty for none
 * @param found read back, never assumed; empty if it can't be read
 * @param advice a line of the configuration, a flag or a command; empty if the value is as wanted
 */
public record ContextItem(String item, Kind kind, String wanted, String found, Verdict verdict, String advice) {

    /** Kind of comparison with a recorded run. */
    public enum Kind {
        /** Setting: equal or not. */
        SETTING,
        /** Cost: more than a tenth above the recorded number is a drift. */
        COST,
        /** Measure: varies from hour to hour and is not compared. */
        MEASURE;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Verdict of the comparison. */
    public enum Verdict {
        OK,
        DRIFT,
        /** Value that can't be read on this machine. */
        UNKNOWN;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns a setting, compared with the wanted value. */
    public static ContextItem setting(String item, String wanted, String found, String advice) {
        return judged(item, wanted, found, wanted.equals(found), advice);
    }

    /** Returns a setting with the caller's judgement. */
    public static ContextItem judged(String item, String wanted, String found, boolean good, String advice) {
        Verdict verdict = found.isEmpty() ? Verdict.UNKNOWN : good ? Verdict.OK : Verdict.DRIFT;
        return new ContextItem(item, Kind.SETTING, wanted, found, verdict, verdict == Verdict.OK ? "" : advice);
    }

    /** Returns a setting without a recommended value; only a recorded run can be compared with it. */
    public static ContextItem fact(String item, String found) {
        return new ContextItem(item, Kind.SETTING, "", found, Verdict.OK, "");
    }

    /** Returns a cost, compared only with a recorded run. */
    public static ContextItem cost(String item, String found) {
        return new ContextItem(item, Kind.COST, "", found, found.isEmpty() ? Verdict.UNKNOWN : Verdict.OK, "");
    }

    /** Returns a current state with the caller's judgement; not compared with a recorded run. */
    public static ContextItem state(String item, String wanted, String found, boolean good, String advice) {
        ContextItem judged = judged(item, wanted, found, good, advice);
        return new ContextItem(item, Kind.MEASURE, wanted, found, judged.verdict(), judged.drifted() ? advice : "");
    }

    /** Returns a number that is not judged. */
    public static ContextItem measure(String item, String found) {
        return new ContextItem(item, Kind.MEASURE, "", found, Verdict.OK, "");
    }

    /** Returns whether the found value differs from the wanted one. */
    public boolean drifted() {
        return verdict == Verdict.DRIFT;
    }
}
