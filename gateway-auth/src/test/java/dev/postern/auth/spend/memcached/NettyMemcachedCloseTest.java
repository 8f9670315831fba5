package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what closes the connection, and the effect on pending spends and commands. */
class NettyMemcachedCloseTest extends NettyMemcachedConnectionFixture {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERROR\r\n",
                "CLIENT_ERROR bad data chunk\r\n",
                "\r\n",
                "\n",
                "SER\n",
                "STORE\r\n",
                "not stored\r\n"
            })
    void closesOnAnInvalidResponseToASpend(String text) {
        List<PendingAdd> adds = begin(3);

        receive(STORED + text + STORED);

        assertThat(results(adds)).as("the marker was not received").containsOnly(SpendResult.UNKNOWN);
        assertThat(adds.get(0).reply()).as("must be refunded").isEqualTo(StoreReply.STORED);
        assertThat(adds.get(1).reply()).isEqualTo(StoreReply.REFUSED);
        assertThat(adds.get(2).reply()).isEqualTo(StoreReply.LOST);
        assertEnded();
    }

    @Test
    void closesOnATooLongLine() {
        PendingAdd add = begin(1).get(0);

        receive("x".repeat(2048));
        assertThat(channel.isActive()).isTrue();
        receive("x");

        assertThat(add.reply()).isEqualTo(StoreReply.LOST);
        assertEnded();
    }

    @Test
    void closesOnAnUnrequestedResponse() {
        begin(1);

        receive(STORED + SHOWN + "S");

        assertEnded();
    }

    @Test
    void informsTheNextHandlerOfItsEnd() {
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelInactive(ChannelHandlerContext context) {
                received.add("next handler");
            }
        });

        channel.close();

        assertThat(received).containsExactly("established", "lost", "next handler");
    }

    @Test
    void passesOnWhyItEnded() {
        begin(1);

        receive("ERROR\r\n");

        assertThat(received).containsExactly("established", "failed", "lost");
    }

    @Test
    void ignoresRepliesBehindAnInvalidOne() {
        List<PendingAdd> adds = begin(2);

        receive("ERROR\r\n" + NOT_STORED);

        assertThat(adds.get(1).reply()).isEqualTo(StoreReply.LOST);
        assertThat(fixture.responses).hasSize(2);
        assertEnded();
    }

    @Test
    void completesAllPendingCommandsOnClose() {
        List<PendingAdd> adds = begin(3);
        List<StoreReply> command = new ArrayList<>();
        memcachedConnection.send(new StoreCommand(
                MemcachedEncoding.set(fixture.encoding.epoch(), MemcachedFixture.MARKER), later(), command::add));
        channel.runPendingTasks();
        receive(NOT_STORED);

        channel.close();

        assertThat(results(adds)).containsExactly(SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.UNKNOWN);
        assertThat(adds.subList(1, 3)).extracting(PendingAdd::reply).containsOnly(StoreReply.LOST);
        assertThat(command).containsExactly(StoreReply.LOST);
        assertThat(memcachedConnection.inFlight()).isZero();
        assertEnded();
    }

    @Test
    void completesEachSpendOnceWhenAListenerClosesTheConnection() {
        memcachedConnection.enter();
        PendingAdd closing = fixture.attempt(server, fixture.token(), spend -> {
            fixture.responses.add(spend);
            channel.close();
        });
        memcachedConnection.spend(closing);
        List<PendingAdd> others = begin(2);

        receive(STORED + STORED + STORED + SHOWN);

        assertThat(fixture.responses).hasSize(3).doesNotHaveDuplicates();
        assertThat(closing.result()).isEqualTo(SpendResult.FRESH);
        assertThat(results(others)).as("their reply had arrived").containsOnly(SpendResult.FRESH);
        assertThat(memcachedConnection.inFlight()).isZero();
    }

    @Test
    void isUnusableAfterClose() {
        assertThat(memcachedConnection.alive()).isTrue();

        memcachedConnection.close();

        assertThat(connection.marker()).isNull();
        assertThat(channel.isActive()).isFalse();
        assertEnded();
    }
}
