package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AotCacheTest {

    private static final String FILE = "/app/postern.aot";
    private static final String MAPS = "7f00-7f01 rw-p 00001000 08:01 1      /app/";

    @TempDir
    private Path proc;

    @Test
    void reportsNothingOfACacheInUse() {
        ContextItem item = new AotCache(25, FILE, true).item();
        assertThat(item.verdict()).isEqualTo(ContextItem.Verdict.OK);
        assertThat(item.found()).isEqualTo(item.wanted()).isEqualTo("in use");
        assertThat(item.advice()).isEmpty();
    }

    @Test
    void reportsACacheThatTheJvmRefused() {
        ContextItem item = new AotCache(25, FILE, false).item();
        assertThat(item.drifted()).isTrue();
        assertThat(item.wanted()).isEqualTo("in use");
        assertThat(item.found()).isEqualTo("refused");
        assertThat(item.advice()).contains(FILE, "-Xlog:aot");
    }

    @ParameterizedTest
    @CsvSource({"17, none: JDK 17 has class-data sharing only", "25, none"})
    void reportsNothingOfAJvmWithoutACache(int jdk, String found) {
        ContextItem item = new AotCache(jdk, "", false).item();
        assertThat(item.verdict()).isEqualTo(ContextItem.Verdict.OK);
        assertThat(item.found()).isEqualTo(found);
        assertThat(item.advice()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/app/postern.aot, postern.aot, true",
        "/link/postern.aot, postern.aot, true",
        "postern.aot, postern.aot (deleted), true",
        "/app/postern.aot, postern.jar, false",
        "'', postern.aot, false"
    })
    void findsTheFileInTheMemoryOfTheProcess(String file, String mapping, boolean mapped) {
        assertThat(AotCache.mapped(file, MAPS + mapping + "\n")).isEqualTo(mapped);
    }

    @Test
    void readsThisProcess() {
        AotCache cache = AotCache.read(new ProcFiles(proc));
        assertThat(cache.jdk()).isEqualTo(Runtime.version().feature());
        assertThat(cache.mapped()).isFalse();
    }
}
