package dev.postern.app.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.flame.GraphPage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests both engines with threads of known work, which run before, during and after the profile. */
class ProfilersIT {

    private static final Duration LENGTH = Duration.ofSeconds(2);

    private final Profiler async = AsyncEngine.load(new KernelFrames(Path.of("/proc/kallsyms")));
    private final Profiler jfr = new JfrEngine("It was asked for.");
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean working = true;
    private volatile byte[] kept = {};
    private volatile long computed;

    @BeforeEach
    void work() {
        thread(this::compute);
        thread(this::allocate);
        thread(this::contend);
        thread(this::contend);
    }

    private void thread(Runnable task) {
        Thread thread = new Thread(task, "at-work-1");
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void rest() {
        working = false;
    }

    private void compute() {
        while (working) {
            computed = computed * 31 + 7;
        }
    }

    private void allocate() {
        while (working) {
            kept = new byte[100_000 + kept.length % 2];
        }
    }

    private void contend() {
        while (working) {
            lock.lock();
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return;
            } finally {
                lock.unlock();
            }
        }
    }

    private Profiler engine(String name) {
        return name.equals("async") ? async : jfr;
    }

    private static Set<String> frames(Profile profile) {
        return GraphPage.names(GraphPage.stacks(profile.stacks()));
    }

    @ParameterizedTest
    @CsvSource({
        "async, CPU, compute", "jfr, CPU, compute",
        "async, ALLOC, allocate", "jfr, ALLOC, allocate",
        "async, LOCK, contend", "jfr, LOCK, contend",
        "async, WALL, contend"
    })
    void theProfileContainsTheWork(String engine, ProfileEvent event, String method) throws Exception {
        Profile profile = engine(engine).take(event, LENGTH);

        assertThat(frames(profile)).contains("[at-work]", ProfilersIT.class.getName() + "." + method);
        assertThat(profile.event()).isEqualTo(event);
        assertThat(profile.engine()).contains(engine.equals("async") ? "async-profiler" : "Flight Recorder");
        assertThat(GraphPage.stacks(profile.stacks()).values()).allMatch(weight -> weight > 0);
        if (event == ProfileEvent.ALLOC) {
            assertThat(profile.stacks()).contains(";byte[]_[i] ");
        }
    }

    @Test
    void namesTheMissingPermissionWhenTheKernelHidesItsSymbols() throws Exception {
        Profile profile = AsyncEngine.load(new KernelFrames(Path.of("none"))).take(ProfileEvent.CPU, LENGTH);

        assertThat(profile.engine()).contains("timer");
        assertThat(profile.hint()).contains("kernel.perf_event_paranoid=1", "kernel.kptr_restrict=0", "PERFMON");
        assertThat(profile.stacks()).isNotEmpty().doesNotContain("_[k]");
    }

    @Test
    void reportsASecondProfileAsBusy() throws Exception {
        CountDownLatch begins = new CountDownLatch(1);
        Thread first = new Thread(() -> {
            begins.countDown();
            boolean busy = true;
            while (busy) {
                try {
                    async.take(ProfileEvent.WALL, Duration.ofMinutes(1));
                } catch (Profiler.BusyException e) {
                    continue; // against the test's own profiles, which take a millisecond
                } catch (Exception e) {
                    // interrupted as intended
                }
                busy = false;
            }
        });
        first.start();
        assertThat(begins.await(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> {
                    while (first.isAlive()) { // until the first profile has begun, the test's profiles succeed
                        async.take(ProfileEvent.CPU, Duration.ofMillis(1));
                    }
                })
                .isInstanceOf(Profiler.BusyException.class);

        // An interrupt stops the profile that was begun.
        first.interrupt();
        first.join(10_000);
        assertThat(async.take(ProfileEvent.CPU, Duration.ofMillis(1)).stacks()).isNotNull();
    }

    @Test
    void usesTheFlightRecorderWithoutTheNativeLibrary() throws Exception {
        Profilers profilers = new Profilers(() -> {
            throw new UnsatisfiedLinkError("failed to map segment from shared object");
        });

        Profile profile = profilers.take(ProfileEvent.CPU, LENGTH);

        assertThat(profile.engine()).contains("Flight Recorder");
        assertThat(profile.hint()).contains("failed to map segment", "java.io.tmpdir", "only Java frames");
        assertThat(frames(profile)).contains(ProfilersIT.class.getName() + ".compute");
    }
}
