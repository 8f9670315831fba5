package dev.postern.app.context;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * One thing outside the code that decides performance: what we want, what is in force, and what to do where they differ.
 *
 * @param item its stable name
 * @param kind how it is compared with a recorded run
 * @param wanted our recommendation, or what a recorded run had; empty where there is none
 * @param found read back, never assumed; empty where it can't be read
 * @param advice what to do: a line of the configuration, a flag or a command; empty when all is well
 */
public record ContextItem(String item, Kind kind, String wanted, String found, Verdict verdict, String advice) {

    /** How an item is compared with a recorded run. */
    public enum Kind {
        /** Is the same or is not. */
        SETTING,
        /** A number; more of it by a tenth is a loss. */
        COST,
        /** Differs from hour to hour, and is only told. */
        MEASURE;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What comes of the comparison. */
    public enum Verdict {
        OK,
        DRIFT,
        /** It can't be read here. */
        UNKNOWN;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A setting that is as wanted, or isn't. */
    public static ContextItem setting(String item, String wanted, String found, String advice) {
        return judged(item, wanted, found, wanted.equals(found), advice);
    }

    /** A setting about which somebody else judges whether it is as wanted. */
    public static ContextItem judged(String item, String wanted, String found, boolean good, String advice) {
        Verdict verdict = found.isEmpty() ? Verdict.UNKNOWN : good ? Verdict.OK : Verdict.DRIFT;
        return new ContextItem(item, Kind.SETTING, wanted, found, verdict, verdict == Verdict.OK ? "" : advice);
    }

    /** A setting that is as good as any other, as long as it stays the same. */
    public static ContextItem fact(String item, String found) {
        return new ContextItem(item, Kind.SETTING, "", found, Verdict.OK, "");
    }

    /** A cost, which only a recorded run can be compared with. */
    public static ContextItem cost(String item, String found) {
        return new ContextItem(item, Kind.COST, "", found, found.isEmpty() ? Verdict.UNKNOWN : Verdict.OK, "");
    }

    /** How things go just now, about which somebody judges; a recorded run says nothing of it. */
    public static ContextItem state(String item, String wanted, String found, boolean good, String advice) {
        ContextItem judged = judged(item, wanted, found, good, advice);
        return new ContextItem(item, Kind.MEASURE, wanted, found, judged.verdict(), judged.drifted() ? advice : "");
    }

    /** A number that is only told. */
    public static ContextItem measure(String item, String found) {
        return new ContextItem(item, Kind.MEASURE, "", found, Verdict.OK, "");
    }

    /** Whether it is other than wanted. */
    public boolean drifted() {
        return verdict == Verdict.DRIFT;
    }
}
