package dev.postern.app.context;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Context of the JVM: compilers, agents, debug flags and garbage collector. */
public final class JvmContext implements ContextSource {

    private static final int C2 = 4;
    private static final double FULL = 0.95;

    /** Flags for JVM checks with a cost for each call or each object. */
    private static final Pattern DEBUG_FLAG =
            Pattern.compile("-Xcheck:jni|-Xdebug|-Xcomp|-XX:[+](Verify.*|ZVerify.*|CheckUnhandledOops|PrintCompilation)"
                    + "|-XX:[+]ShowHiddenFrames");

    /** Agent libraries in the memory of the process, by their common name. */
    private static final Pattern AGENT = Pattern.compile("lib(jdwp|hprof|yjpagent|jprofilerti)\\.so");

    private final Supplier<JvmFacts> facts;
    private final ProcFiles proc;

    public JvmContext(Supplier<JvmFacts> facts, ProcFiles proc) {
        this.facts = facts;
        this.proc = proc;
    }

    @Override
    public List<ContextItem> items() {
        JvmFacts current = facts.get();
        List<ContextItem> items = new ArrayList<>();
        items.add(ContextItem.setting(
                "jvm.compiler",
                "C1 and C2",
                compiler(current),
                "Remove from the flags of the JVM: " + guilty(current) + "."));
        items.add(ContextItem.judged(
                "jvm.code-cache",
                "less than 95 % full",
                current.codeCache() >= FULL ? "full" : "not full",
                current.codeCache() < FULL,
                "-XX:ReservedCodeCacheSize=512m: a full code cache stops compilation."));
        String debug = String.join(
                " ",
                current.flags().stream()
                        .filter(flag -> DEBUG_FLAG.matcher(flag).matches())
                        .toList());
        items.add(none("jvm.debug-flags", debug, "Remove them from the flags of the JVM."));
        items.add(none("jvm.debug-agent", agents(), "Remove -agentlib: and -agentpath: from the flags of the JVM."));
        items.add(ContextItem.setting(
                "jvm.assertions",
                "false",
                Boolean.toString(current.assertions()),
                "Remove -ea from the flags of the JVM."));
        String collectors = String.join(", ", current.collectors());
        items.add(ContextItem.judged(
                "jvm.gc",
                "no serial collector",
                collectors,
                !collectors.contains("MarkSweepCompact"),
                "-XX:+UseG1GC: a serial collector stops every event loop during each collection."));
        items.add(ContextItem.fact("jvm.version", Runtime.version().toString()));
        items.add(ContextItem.fact("jvm.max-heap-bytes", Long.toString(current.maxHeap())));
        items.add(ContextItem.fact("jvm.max-direct-bytes", Long.toString(current.maxDirect())));
        return items;
    }

    private static ContextItem none(String item, String found, String advice) {
        return ContextItem.setting(item, "none", found.isEmpty() ? "none" : found, advice);
    }

    private static String compiler(JvmFacts current) {
        if (current.mode().contains("interpreted")) {
            return "none";
        }
        boolean one = current.highestTier() < C2 || current.mode().contains("emulated-client");
        return one ? "C1" : "C1 and C2";
    }

    private static String guilty(JvmFacts current) {
        List<String> flags = current.flags().stream()
                .filter(flag -> flag.equals("-Xint")
                        || flag.equals("-client")
                        || flag.contains("TieredStopAtLevel")
                        || flag.contains("CompilationMode")
                        || flag.contains("UseCompiler"))
                .toList();
        return flags.isEmpty() ? "-Xint or -XX:TieredStopAtLevel" : String.join(" ", flags);
    }

    /** Returns the loaded agents, whether loaded by a flag or at run time. */
    private String agents() {
        List<String> found = AGENT.matcher(proc.text("self/maps"))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
        return String.join(" ", found);
    }
}
