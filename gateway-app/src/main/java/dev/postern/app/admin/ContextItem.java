package dev.postern.app.admin;

/**
 * One thing outside the code that decides performance: what we want, what is in force, and what to do where they differ.
 *
 * @param item its stable name
 * @param wanted our recommendation or the configuration; empty where there is none
 * @param found read back, never assumed
 * @param verdict {@code ok}, {@code drift}, or {@code unknown} where it can't be read
 * @param advice what to do; empty when all is well
 */
public record ContextItem(String item, String wanted, String found, String verdict, String advice) {

    /** An item that is as wanted, or isn't. */
    static ContextItem compare(String item, String wanted, String found, String advice) {
        boolean ok = wanted.equals(found);
        String verdict = ok ? "ok" : found.isEmpty() ? "unknown" : "drift";
        return new ContextItem(item, wanted, found, verdict, ok ? "" : advice);
    }

    /** An item that is only told. */
    static ContextItem fact(String item, String found) {
        return new ContextItem(item, "", found, "ok", "");
    }
}
