package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Ticker;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that core, auth and rate limits read no clock of the process by themselves: they take the ticker of their event loop, or a ticker
 * or {@link InstantSource} from their caller, so that a test can move their time (docs/adr/0037).
 */
@AnalyzeClasses(
        packages = {"dev.postern.core", "dev.postern.auth", "dev.postern.ratelimit"},
        importOptions = {ImportOption.DoNotIncludeTests.class, LayersTest.NoTestJars.class})
class TimeSourcesTest {

    /** Classes that read a clock of the process, and why they may. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            "dev.postern.auth.verify.SelfTest", "times signatures at start, before there is an event loop",
            "dev.postern.auth.batch.BatchSelfTest", "times signatures at start, before there is an event loop",
            "dev.postern.core.http.HttpDate", "the Date field states the wall clock; no rule decides by it",
            "dev.postern.core.metrics.HistogramStripe", "dates exemplars for a scraper; no rule decides by it");

    /** Methods that read a clock of the process or return one, by their class; constructors are {@code <init>}. */
    private static final Map<String, Set<String>> SOURCES = Map.of(
            "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
            "java.time.Clock",
                    Set.of(
                            "system",
                            "systemUTC",
                            "systemDefaultZone",
                            "tick",
                            "tickMillis",
                            "tickSeconds",
                            "tickMinutes"),
            "java.time.InstantSource", Set.of("system", "tick"),
            "java.util.Date", Set.of("<init>"),
            "java.util.Calendar", Set.of("getInstance"),
            "java.util.GregorianCalendar", Set.of("<init>"),
            "io.netty.util.concurrent.Ticker", Set.of("systemTicker", "newMockTicker"),
            "io.netty.util.concurrent.GlobalEventExecutor", Set.of("ticker"),
            "io.netty.util.concurrent.ImmediateEventExecutor", Set.of("ticker"));

    /** Returns the reads of a clock of the process, by the top-level class that contains them. */
    private static Map<String, Set<String>> reads(Iterable<JavaClass> classes) {
        Map<String, Set<String>> found = new TreeMap<>();
        for (JavaClass type : classes) {
            Stream.of(
                            type.getMethodCallsFromSelf(),
                            type.getMethodReferencesFromSelf(),
                            type.getConstructorCallsFromSelf(),
                            type.getConstructorReferencesFromSelf())
                    .flatMap(Set::stream)
                    .filter(TimeSourcesTest::isRead)
                    .forEach(access -> found.computeIfAbsent(type.getName().split("\\$")[0], name -> new TreeSet<>())
                            .add(access.getDescription()));
        }
        return found;
    }

    private static boolean isRead(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getTarget().getName();
        if (SOURCES.getOrDefault(owner, Set.of()).contains(name)) {
            // Of the constructors only the one without arguments reads a clock.
            return !name.equals("<init>") || access.getDescription().contains("<init>()");
        }
        // now(Clock) is given its clock.
        return owner.startsWith("java.time.")
                && name.equals("now")
                && !access.getTarget().getFullName().contains("java.time.Clock)");
    }

    @ArchTest
    static void rulesReadNoClockOfTheProcess(JavaClasses classes) {
        Map<String, Set<String>> found = reads(classes);
        Set<String> allowed = new TreeSet<>(EXCEPTIONS.keySet());
        allowed.removeAll(found.keySet());
        assertThat(allowed).as("exceptions that nothing needs").isEmpty();

        found.keySet().removeAll(EXCEPTIONS.keySet());
        assertThat(found).isEmpty();
    }

    /** Reads clocks in each way that the rule must see. */
    @SuppressWarnings({"unused", "JavaUtilDate", "UnnecessaryLambda"})
    private static final class Planted {

        private long call() {
            return System.nanoTime();
        }

        private LongSupplier lambda() {
            return () -> System.currentTimeMillis();
        }

        private LongSupplier reference() {
            return System::nanoTime;
        }

        private Supplier<Instant> wall() {
            return Instant::now;
        }

        private LocalDateTime date() {
            return LocalDateTime.now();
        }

        private List<Object> sources() {
            return List.of(Clock.systemUTC(), InstantSource.system(), Ticker.systemTicker(), new Date());
        }

        private Supplier<Ticker> tickers() {
            return Ticker::newMockTicker;
        }

        private Ticker executor() {
            return GlobalEventExecutor.INSTANCE.ticker();
        }
    }

    /** Takes its clocks from its caller. */
    @SuppressWarnings({"unused", "JavaUtilDate", "UnnecessaryLambda"})
    private static final class Given {

        private Instant now(Clock clock) {
            return Instant.now(clock);
        }

        private Date date(InstantSource clock, Ticker ticker) {
            return new Date(clock.millis() + ticker.nanoTime());
        }
    }

    @Test
    void seesEachWayToReadAClock() {
        Map<String, Set<String>> found = reads(new ClassFileImporter().importClasses(Planted.class));

        assertThat(found).hasSize(1);
        assertThat(found.get(TimeSourcesTest.class.getName())).hasSize(11);
    }

    @Test
    void allowsClocksThatAreGiven() {
        assertThat(reads(new ClassFileImporter().importClasses(Given.class))).isEmpty();
    }
}
