package dev.postern.auth.handler;

import static dev.postern.auth.testing.TestExchange.REVERSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.key.KeyTable;
import dev.postern.auth.testing.TestExchange;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.Token;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.rate.Gcra;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that faults of one token of a batch concern no other. */
class TokenBatchFaultsTest extends TokenBatchFixture {

    @Test
    void onlyTheBadTokenOfEightFails() {
        start();
        for (int lane = 0; lane < 8; lane++) {
            passed.clear();
            int bad = lane;
            List<TestExchange> exchanges = present(8, i -> i == bad ? forged() : token(FIRST));

            channel.runPendingTasks();

            TestExchange refused = exchanges.remove(lane);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.exchange().outcome().reason()).isEqualTo("invalid");
            assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        }
    }

    /** A token that does not decode never enters the batch. */
    @Test
    void onlyTheTokenOfTheWrongLengthFails() {
        start();
        for (int length : new int[] {0, 1, 2, 98, 353, 355, 4000}) {
            passed.clear();
            List<TestExchange> exchanges = present(3, i -> token(FIRST));
            byte[] bytes = Arrays.copyOf(token(FIRST).bytes(), length);
            TestExchange malformed = exchange("PrivateToken token=\"" + Base64Url.encode(bytes) + "\"");
            channel.pipeline().fireChannelRead(malformed.exchange());
            exchanges.addAll(present(4, i -> token(FIRST)));

            channel.runPendingTasks();

            assertThat(malformed.status()).as("%d bytes", length).isBetween(400, 401);
            assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        }
    }

    @Test
    void eachTokenPassesUnderItsOwnIssuersKeyOnly() {
        keys = new KeyTable(
                List.of(accepted(FIRST, "issuer.example"), accepted(SECOND, "second.example")), Duration.ZERO);
        start();
        List<TestExchange> good = present(4, i -> i % 2 == 0 ? token(FIRST) : token(SECOND, 1));
        byte[] signed = Arrays.copyOf(token(FIRST).bytes(), 98);
        TestExchange forged =
                present(1, i -> Token.of(signed, SECOND.sign(signed, 48))).get(0);

        channel.runPendingTasks();

        assertThat(passed).containsExactlyElementsOf(exchanges(good));
        assertThat(forged.status()).isEqualTo(401);
        assertThat(calls).hasValue(1);
    }

    @Test
    void verifiesNoTokenWhoseExchangeHasEnded() {
        start();
        List<TestExchange> exchanges = present(3, i -> token(FIRST));
        exchanges.remove(1).exchange().end();

        channel.runPendingTasks();
        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        assertThat(calls).hasValue(1);

        present(5, i -> token(FIRST)).forEach(exchange -> exchange.exchange().end());
        channel.runPendingTasks();
        assertThat(calls).hasValue(1);
    }

    @Test
    void anErrorOfOneExchangeSparesTheRest() {
        start();
        List<TestExchange> exchanges = present(3, i -> token(FIRST));
        Exchange broken = exchanges.get(1).exchange();
        next = exchange -> {
            if (exchange == broken) {
                throw new IllegalArgumentException("planned");
            }
            passed.add(exchange);
        };

        channel.runPendingTasks();

        assertThat(exchanges.remove(1).status()).isEqualTo(500);
        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
    }

    @Test
    void forgedTokensUseTheBudgetOfTheirNetwork() throws Exception {
        budget = Gcra.of(2, TimeUnit.HOURS.toMicros(1), 1);
        start();
        List<TestExchange> forged = present(3, i -> forged());
        channel.runPendingTasks();
        assertThat(forged).allMatch(exchange -> exchange.status() == 401);

        channel.freezeTime(); // no idle time from now on
        TestExchange waiting = present(1, i -> token(FIRST)).get(0);
        TestExchange other = exchange(TokenMint.credentials(token(FIRST)));
        other.exchange().clientAddress(InetAddress.getByName("198.51.100.7"));
        channel.pipeline().fireChannelRead(other.exchange());
        channel.runPendingTasks();

        assertThat(passed).as("of networks within their budget").containsExactly(other.exchange());
        assertThat(waiting.status()).isZero();
    }

    @Test
    void aLoopThatShutsDownEndsItsBatch() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
        EventLoop loop = group.next();
        Channel client = new LocalChannel();
        client.pipeline().addLast(chain());
        loop.register(client).sync();
        List<TestExchange> exchanges = new ArrayList<>();
        loop.submit(() -> {
                    for (int i = 0; i < 5; i++) {
                        TestExchange exchange = TestExchange.get(
                                REVERSE, ROUTE, loop, "authorization", TokenMint.credentials(token(FIRST)));
                        exchanges.add(exchange);
                        client.pipeline().fireChannelRead(exchange.exchange());
                    }
                    exchanges.get(2).exchange().end();
                    group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
                })
                .sync();

        group.terminationFuture().sync();

        exchanges.remove(2);
        assertThat(passed).as("each at most once").containsExactlyElementsOf(exchanges(exchanges));
        assertThat(calls).hasValue(1);
    }
}
