package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.core.testing.MemcachedExtension;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.InstantSource;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the 40 ms case: a command in several small writes waits for the acknowledgement of its first segment, which the server delays. Counts
 * segments of the kernel, since time cannot be asserted; {@code bench ledger} shows the time.
 */
class CommandSegmentsIT {

    private static final int COMMANDS = 200;
    private static final Pattern DATA_SEGMENTS = Pattern.compile("\\bdata_segs_out:(\\d+)");

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @ParameterizedTest
    @EnumSource
    void sendsEachLoneCommandInOneSegment(Client client) throws Exception {
        LedgerEnvironment environment = new LedgerEnvironment(
                "segments", new SimpleMeterRegistry(), InstantSource.system(), Ticker.systemTicker(), LOOPS.all());
        TestRedemptions tokens = new TestRedemptions(client.ordinal(), InstantSource.system());
        try (SpendLedger ledger =
                SpendLedgers.open(MemcachedTestSettings.of(client, MEMCACHED.address()), environment)) {
            Awaitility.await().until(() -> ledger.health().healthy());
            long marks = commands();
            long segmentsBefore = segments();
            for (int i = 0; i < COMMANDS; i++) {
                assertThat(LOOPS.spend(ledger, tokens.next())).isEqualTo(SpendResult.FRESH);
            }
            // Each spend has its marker check in the same segment. Other marker checks happen meanwhile, and their
            // commands may share a
            // segment.
            assertThat(segments() - segmentsBefore).isBetween((long) COMMANDS, commands() - marks - COMMANDS);
            assertThat(ledger.connections()).isNotEmpty().allSatisfy(info -> {
                assertThat(info.server()).isEqualTo(MEMCACHED.address());
                assertThat(info.noDelay()).isTrue();
                // spymemcached does not expose its sockets.
                assertThat(Double.isNaN(info.segmentsPerCommand())).isEqualTo(client == Client.SPYMEMCACHED);
            });
            assertThat(ledger.connections().stream()
                            .mapToDouble(StoreConnectionInfo::segmentsPerCommand)
                            .filter(segments -> !Double.isNaN(segments)))
                    .allMatch(segments -> segments > 0 && segments <= 1);
        }
    }

    @Test
    void detectsACommandInSeveralSegments() throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), MEMCACHED.server().port())) {
            socket.setTcpNoDelay(false);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            // The kernel has no counter before the first segment.
            out.write("add first 0 60 1\r\nx\r\n".getBytes(US_ASCII));
            assertThat(in.readNBytes(8)).isEqualTo("STORED\r\n".getBytes(US_ASCII));
            long segmentsBefore = segments();
            for (int i = 0; i < 20; i++) {
                out.write(("add pieces" + i).getBytes(US_ASCII));
                out.write(" 0 60 1\r\n".getBytes(US_ASCII));
                out.write("x\r\n".getBytes(US_ASCII));
                assertThat(in.readNBytes(8)).isEqualTo("STORED\r\n".getBytes(US_ASCII));
            }
            assertThat(segments() - segmentsBefore).isGreaterThanOrEqualTo(2 * 20);
        }
    }

    /** Returns the number of segments with data that all connections have sent to the server. */
    private static long segments() throws IOException {
        Process ss = new ProcessBuilder(
                        "ss",
                        "-tinH",
                        "state",
                        "established",
                        "dport",
                        "=",
                        ":" + MEMCACHED.server().port())
                .redirectErrorStream(true)
                .start();
        String text = new String(ss.getInputStream().readAllBytes(), US_ASCII);
        assertThat(text).contains("data_segs_out");
        return DATA_SEGMENTS
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .mapToLong(found -> Long.parseLong(found.substring(found.indexOf(':') + 1)))
                .sum();
    }

    private static long commands() {
        return MemcachedText.stat(MEMCACHED.server(), "cmd_set")
                + MemcachedText.stat(MEMCACHED.server(), "cmd_get")
                + MemcachedText.stat(MEMCACHED.server(), "total_connections");
    }
}
