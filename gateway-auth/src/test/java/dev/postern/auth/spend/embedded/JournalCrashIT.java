package dev.postern.auth.spend.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.config.ByteSize;
import dev.postern.core.testing.KeyDefaults;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that spends continuously, repeatedly; every token that it reported as FRESH must be spent in the next process. */
@Tag("long")
class JournalCrashIT {

    private static final int KILLS = 4;
    private static final int SPENDS = 20_000;

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    @TempDir
    Path folder;

    private final Instant end = Instant.now().plusSeconds(3600);

    @Test
    void keepsReportedSpendsWhenItIsKilled() throws Exception {
        List<String> received = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            Process spender = spender();
            try (BufferedReader fresh = spender.inputReader(US_ASCII)) {
                for (int i = 0; i < SPENDS; i++) {
                    received.add(Objects.requireNonNull(fresh.readLine(), "the spender has ended"));
                }
                spender.destroyForcibly();
                // Lines that the process wrote before it was killed count too, except an incomplete one.
                for (String line = next(fresh); line != null && line.length() == 32; line = next(fresh)) {
                    received.add(line);
                }
            }
            spender.waitFor();
        }

        try (SpendLedger ledger = open(folder, LOOPS.all())) {
            byte[] epoch = ledger.epoch();
            assertThat(received).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(KILLS * SPENDS);
            assertThat(received.stream()
                            .map(key -> new Redemption(HexFormat.of().parseHex(key), end, epoch))
                            .filter(token -> LOOPS.spend(ledger, token) != SpendResult.SPENT))
                    .isEmpty();
        }
    }

    private static @Nullable String next(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    private Process spender() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Spender.class.getName(),
                        folder.toString(),
                        end.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static SpendLedger open(Path folder, List<EventLoop> loops) {
        LedgerSettings settings = KeyDefaults.of(
                LedgerSettings.class,
                Map.of(
                        "deadline",
                        Duration.ofSeconds(10),
                        "embedded",
                        new LedgerSettings.Embedded(ByteSize.of("256MiB"), folder)));
        return SpendLedgers.open(
                settings,
                new LedgerEnvironment(
                        "test", new SimpleMeterRegistry(), InstantSource.system(), Ticker.systemTicker(), loops));
    }

    /** Spends fresh tokens and prints the key of each FRESH one on its own line until it is killed. Arguments: folder, end of the tokens. */
    static final class Spender {

        private static final int AT_ONCE = 200;

        private final SpendLedger ledger;
        private final EventLoop loop;
        private final Instant end;
        private final PrintStream out = new PrintStream(System.out, true, US_ASCII);

        private Spender(SpendLedger ledger, EventLoop loop, Instant end) {
            this.ledger = ledger;
            this.loop = loop;
            this.end = end;
        }

        public static void main(String... arguments) {
            EventLoop loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()).next();
            Spender spender =
                    new Spender(open(Path.of(arguments[0]), List.of(loop)), loop, Instant.parse(arguments[1]));
            loop.execute(() -> {
                for (int i = 0; i < AT_ONCE; i++) {
                    spender.spendNext();
                }
            });
        }

        private void spendNext() {
            byte[] key = new byte[Redemption.KEY_LENGTH];
            ThreadLocalRandom.current().nextBytes(key);
            ledger.spend(new Redemption(key, end), loop, spend -> {
                if (spend.result() == SpendResult.FRESH) {
                    out.println(HexFormat.of().formatHex(key));
                }
                loop.execute(this::spendNext);
            });
        }
    }
}
