package dev.postern.auth.spend.memcached.spy;

import static dev.postern.auth.spend.memcached.SharedConnectionFixture.SHOWN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.PendingAdd;
import dev.postern.auth.spend.memcached.SharedConnectionFixture;
import dev.postern.auth.spend.memcached.command.UnexpectedReplyException;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which replies the spends of one command get, and when they are fresh. */
class SpendsCommandTest {

    private static final String STORED = "STORED\r\n";
    private static final String NOT_STORED = "NOT_STORED\r\n";
    private static final String FULL = "SERVER_ERROR out of memory storing object\r\n";
    private static final String OTHER = SHOWN.replace("0011", "ffee");

    private final SharedConnectionFixture fixture = new SharedConnectionFixture();
    private final WriteTiming timing = new WriteTiming();
    private final MockTicker ticker = Ticker.newMockTicker();
    private final SpyMemcachedConnection connection;

    SpendsCommandTest() throws IOException {
        connection = (SpyMemcachedConnection) SpyMemcachedConnection.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                fixture.connection,
                fixture.encoding,
                ticker);
    }

    @AfterEach
    void close() {
        connection.close();
        fixture.close();
    }

    @Test
    void givesEachSpendItsOwnReplyHoweverTheyAreSplit() throws IOException {
        String replies = STORED + NOT_STORED + FULL + STORED + SHOWN;
        for (int cut = 1; cut < replies.length(); cut++) {
            List<PendingAdd> adds = attempts(4);
            SpendsCommand command = command(adds);

            read(command, replies.substring(0, cut));
            assertThat(command.settled()).as("split at %d", cut).isFalse();
            read(command, replies.substring(cut));

            assertThat(command.settled()).isTrue();
            assertThat(results(adds))
                    .as("split at %d", cut)
                    .containsExactly(SpendResult.FRESH, SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.FRESH);
            assertThat(adds.get(2).reply()).isEqualTo(StoreReply.REFUSED);
            assertThat(connection.inFlight()).isZero();
        }
        assertThat(fixture.responses).as("each spend once").doesNotHaveDuplicates();
    }

    @Test
    void leavesTheLimitWithEachReply() throws IOException {
        SpendsCommand command = command(attempts(3));

        for (int left = 2; left >= 0; left--) {
            read(command, NOT_STORED);
            assertThat(connection.inFlight()).isEqualTo(left);
        }
    }

    @Test
    void completesAStoredSpendOnlyWithTheMarkerBehindIt() throws IOException {
        List<PendingAdd> adds = attempts(1);
        SpendsCommand command = command(adds);

        read(command, STORED + SHOWN.substring(0, SHOWN.length() - 1));
        assertThat(fixture.responses).isEmpty();
        read(command, "\n");

        assertThat(results(adds)).containsExactly(SpendResult.FRESH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"END\r\n", "SERVER_ERROR busy\r\n", "VALUE test:1:epoch 0 0 7\r\n\r\nEND\r\n"})
    void isNotFreshWithoutTheMarker(String reply) throws IOException {
        List<PendingAdd> adds = attempts(1);
        SpendsCommand command = command(adds);

        read(command, STORED + reply);

        assertThat(command.settled()).isTrue();
        assertThat(adds.get(0).responded()).isTrue();
        assertThat(results(adds)).containsExactly(SpendResult.UNKNOWN);
        assertThat(adds.get(0).reply()).as("must be refunded").isEqualTo(StoreReply.STORED);
    }

    @Test
    void isNotFreshWithAnotherMarker() throws IOException {
        List<PendingAdd> adds = attempts(2);

        read(command(adds), STORED + NOT_STORED + OTHER);

        assertThat(results(adds)).containsExactly(SpendResult.UNKNOWN, SpendResult.SPENT);
        assertThat(fixture.verified())
                .as("no more spends until the marker is verified")
                .isFalse();
    }

    @Test
    void waitsForTheEndOfAnEmptyMarker() throws IOException {
        SpendsCommand command = command(attempts(1));

        read(command, STORED + "VALUE test:1:epoch 0 0 7\r\n\r\n");
        assertThat(command.settled()).isFalse();
        read(command, "END\r\n");

        assertThat(command.settled()).isTrue();
    }

    @Test
    void losesTheSpendsBehindAnUnexpectedReply() {
        List<PendingAdd> adds = attempts(4);
        SpendsCommand command = command(adds);

        assertThatThrownBy(() -> read(command, STORED + "ERROR\r\n")).isInstanceOf(UnexpectedReplyException.class);

        assertThat(adds)
                .extracting(PendingAdd::reply)
                .containsExactly(StoreReply.STORED, StoreReply.REFUSED, StoreReply.LOST, StoreReply.LOST);
        assertThat(results(adds)).as("without the marker").containsOnly(SpendResult.UNKNOWN);
        assertThat(fixture.responses).hasSize(4);
        assertThat(connection.inFlight()).isZero();
    }

    @Test
    void completesStoredSpendsWhenTheMarkerIsUnexpected() {
        List<PendingAdd> adds = attempts(2);
        SpendsCommand command = command(adds);

        assertThatThrownBy(() -> read(command, STORED + NOT_STORED + "ERROR\r\n"))
                .isInstanceOf(UnexpectedReplyException.class);

        assertThat(command.settled()).isTrue();
        assertThat(fixture.responses).hasSize(2);
        assertThat(results(adds)).containsExactly(SpendResult.UNKNOWN, SpendResult.SPENT);
    }

    @Test
    void isUnsentWhenDroppedBeforeTheWriteAndLostAfterwards() throws IOException {
        List<PendingAdd> queued = attempts(2);
        command(queued).drop();
        List<PendingAdd> written = attempts(3);
        SpendsCommand command = command(written);
        command.writing();
        command.written();
        read(command, NOT_STORED);
        command.drop();

        assertThat(queued).extracting(PendingAdd::reply).containsOnly(StoreReply.UNSENT);
        assertThat(written)
                .extracting(PendingAdd::reply)
                .containsExactly(StoreReply.NOT_STORED, StoreReply.LOST, StoreReply.LOST);
        assertThat(connection.inFlight()).isZero();
    }

    @Test
    void mayBeWrittenUntilTheDeadlineOfItsSpends() {
        List<PendingAdd> attempts = attempts(1);
        SpendsCommand command = command(attempts);
        long limit = attempts.get(0).timeoutNanos() + EventLoopDeadlines.MAX_GRACE_NANOS;
        assertThat(command.mayBeWritten(limit - 1)).isTrue();
        assertThat(command.mayBeWritten(limit)).isFalse();
    }

    @Test
    void measuresTheStartAndTheEndOfWriting() {
        long hour = TimeUnit.HOURS.toNanos(1);
        SpendsCommand command = command(attempts(1));
        assertThat(timing.unanswered(0, hour)).isEqualTo(new SpendLatency(hour, 0, 0));
        command.writing(); // at time 0 of the ticker
        assertThat(timing.unanswered(0, hour)).as("not written yet").isEqualTo(new SpendLatency(0, hour, 0));

        ticker.advance(7, TimeUnit.NANOSECONDS);
        command.written();

        assertThat(timing.unanswered(0, hour)).isEqualTo(new SpendLatency(0, 7, 0));
    }

    private List<PendingAdd> attempts(int count) {
        return Stream.generate(fixture::attempt).limit(count).toList();
    }

    private SpendsCommand command(List<PendingAdd> adds) {
        adds.forEach(add -> {
            assertThat(connection.enter()).isTrue();
            add.goes(timing);
        });
        return new SpendsCommand(adds, connection, ByteBuffer.allocate(1), timing, ticker);
    }

    private static List<SpendResult> results(List<PendingAdd> adds) {
        return adds.stream().map(PendingSpend::result).toList();
    }

    private static void read(SpendsCommand command, String text) throws IOException {
        command.read(ISO_8859_1.encode(text));
    }
}
