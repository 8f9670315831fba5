package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends the connection, and what then becomes of spends and commands. */
class NettyMemcachedCloseTest extends NettyMemcachedConnectionRig {

    @ParameterizedTest
    @ValueSource(
            strings = {"ERROR\r\n", "CLIENT_ERROR bad data chunk\r\n", "\r\n", "SER\n", "STORE\r\n", "not stored\r\n"})
    void endsTheConnectionOnWhatIsNoResponseToASpend(String text) {
        List<PendingAdd> attempts = begin(3);

        receive(STORED + text + STORED);

        assertThat(results(attempts)).as("the mark never came").containsOnly(SpendResult.UNKNOWN);
        assertThat(attempts.get(0).reply()).as("to be given back").isEqualTo(StoreReply.STORED);
        assertThat(attempts.get(1).reply()).isEqualTo(StoreReply.REFUSED);
        assertThat(attempts.get(2).reply()).isEqualTo(StoreReply.LOST);
        assertEnded();
    }

    @Test
    void endsTheConnectionOnALineThatDoesNotEnd() {
        PendingAdd add = begin(1).get(0);

        receive("x".repeat(2048));
        assertThat(channel.isActive()).isTrue();
        receive("x");

        assertThat(add.reply()).isEqualTo(StoreReply.LOST);
        assertEnded();
    }

    @Test
    void endsTheConnectionOnAResponseThatNobodyAskedFor() {
        begin(1);

        receive(STORED + SHOWN + "S");

        assertEnded();
    }

    @Test
    void tellsAllThatWaitWhenTheConnectionEnds() {
        List<PendingAdd> attempts = begin(3);
        List<StoreReply> command = new ArrayList<>();
        memcachedConnection.send(
                new StoreCommand(MemcachedEncoding.set(rig.keys.epoch(), Rig.MARK), later(), command::add));
        channel.runPendingTasks();
        receive(NOT_STORED);

        channel.close();

        assertThat(results(attempts)).containsExactly(SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.UNKNOWN);
        assertThat(attempts.subList(1, 3)).extracting(PendingAdd::reply).containsOnly(StoreReply.LOST);
        assertThat(command).containsExactly(StoreReply.LOST);
        assertThat(memcachedConnection.inFlight()).isZero();
        assertEnded();
    }

    @Test
    void responsesEachOnceWhenTheFirstThatIsToldClosesTheConnection() {
        memcachedConnection.enter();
        PendingAdd closing = rig.attempt(server, rig.token(), told -> {
            rig.responses.add(told);
            channel.close();
        });
        memcachedConnection.spend(closing);
        List<PendingAdd> others = begin(2);

        receive(STORED + STORED + STORED + SHOWN);

        assertThat(rig.responses).hasSize(3).doesNotHaveDuplicates();
        assertThat(closing.result()).isEqualTo(SpendResult.FRESH);
        assertThat(results(others)).as("their reply had come").containsOnly(SpendResult.FRESH);
        assertThat(memcachedConnection.inFlight()).isZero();
    }

    @Test
    void isWorthNothingAfterItWasClosed() {
        assertThat(memcachedConnection.alive()).isTrue();

        memcachedConnection.close();

        assertThat(connection.mark()).isNull();
        assertThat(channel.isActive()).isFalse();
        assertEnded();
    }
}
