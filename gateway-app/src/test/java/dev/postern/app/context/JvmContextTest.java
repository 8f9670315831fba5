package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JvmContextTest {

    private static final JvmFacts GOOD = new JvmFacts(
            "mixed mode, sharing",
            4,
            0.5,
            List.of("-XX:+UseG1GC"),
            false,
            List.of("G1 Young Generation", "G1 Old Generation"),
            2,
            1L << 30,
            1L << 30);

    @TempDir
    private Path proc;

    private ContextItem item(String name, JvmFacts facts) {
        return ContextItems.item(ProcessContext.jvm(facts, new ProcFiles(proc)), name);
    }

    private static JvmFacts mode(String mode, int tier, String... flags) {
        return new JvmFacts(mode, tier, 0.5, List.of(flags), false, GOOD.collectors(), 2, 1, 1);
    }

    @Test
    void reportsNothingOfAHealthyJvm() {
        assertThat(ProcessContext.jvm(GOOD, new ProcFiles(proc))).noneMatch(ContextItem::drifted);
    }

    @ParameterizedTest
    @CsvSource({
        "'interpreted mode', 4, -Xint, none",
        "'mixed mode, emulated-client, sharing', 4, -XX:CompilationMode=quick-only, C1",
        "'mixed mode, sharing', 1, -XX:TieredStopAtLevel=1, C1",
        "'mixed mode, sharing', 3, -XX:TieredStopAtLevel=3, C1"
    })
    void reportsReducedCompilation(String mode, int tier, String flag, String found) {
        ContextItem item = item("jvm.compiler", mode(mode, tier, flag, "-Xmx1g"));
        assertThat(item.drifted()).isTrue();
        assertThat(item.found()).isEqualTo(found);
        assertThat(item.wanted()).isEqualTo("C1 and C2");
        assertThat(item.advice()).contains(flag).doesNotContain("-Xmx1g");
    }

    @Test
    void reportsAFullCodeCache() {
        JvmFacts full = new JvmFacts(GOOD.mode(), 4, 0.96, List.of(), false, GOOD.collectors(), 2, 1, 1);
        assertThat(item("jvm.code-cache", full).drifted()).isTrue();
        assertThat(item("jvm.code-cache", full).advice()).contains("ReservedCodeCacheSize");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xcheck:jni", "-Xcomp", "-Xdebug", "-XX:+VerifyBeforeGC", "-XX:+ZVerifyRoots"})
    void reportsFlagsThatSlowEachCall(String flag) {
        ContextItem item = item("jvm.debug-flags", mode(GOOD.mode(), 4, "-Xmx1g", flag));
        assertThat(item.drifted()).isTrue();
        assertThat(item.found()).isEqualTo(flag);
    }

    @Test
    void reportsADebugAgentOfEachOption() {
        ContextItems.write(
                proc,
                "self/maps",
                "7f00-7f01 r-xp 00000000 08:01 1 /usr/lib/jvm/lib/libjdwp.so\n7f01-7f02 r--p 0 08:01 1 /usr/lib/jvm/lib/libjdwp.so\n");
        ContextItem item = item("jvm.debug-agent", GOOD);
        assertThat(item.drifted()).isTrue();
        assertThat(item.found()).isEqualTo("jdwp");
    }

    @Test
    void reportsAssertionsAndTheSerialCollector() {
        JvmFacts odd = new JvmFacts(GOOD.mode(), 4, 0.5, List.of(), true, List.of("Copy", "MarkSweepCompact"), 1, 1, 1);
        assertThat(item("jvm.assertions", odd).drifted()).isTrue();
        assertThat(item("jvm.assertions", odd).advice()).contains("-ea");
        assertThat(item("jvm.gc", odd).drifted()).isTrue();
        assertThat(item("jvm.gc", odd).advice()).contains("-XX:+UseG1GC");
    }

    @Test
    void readsThisProcess() {
        JvmFacts facts = JvmFacts.read();
        assertThat(facts.mode()).contains("mode");
        assertThat(facts.codeCache()).isBetween(0.0, 1.0);
        assertThat(facts.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(item("jvm.version", facts).found())
                .isEqualTo(Runtime.version().toString());
        assertThat(item("jvm.max-heap-bytes", facts).found())
                .isEqualTo(Long.toString(Runtime.getRuntime().maxMemory()));
    }
}
