package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.dns.AddressOwnerLookup;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.StageChain;
import dev.postern.core.testing.LastStage;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestRedis;
import dev.postern.ratelimit.RateLimitSettings;
import dev.postern.ratelimit.RateLimits;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the stage admit over a real Redis before, during and after an outage. */
class RedisOutageIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final EventLoop loop = loops.next();
    private final BlockingQueue<Exchange> passed = new LinkedBlockingQueue<>();
    private final KeyRing ring = KeyRing.random();
    private final Channel channel = new NioSocketChannel();
    /** Only builds requests. */
    private final AdmissionFixture requests = AdmissionFixture.room();

    private final RateLimits limits = open();

    private RateLimits open() {
        RateLimitRule room = AdmissionFixture.roomLimit("site", 2);
        RateLimitRule shared =
                new RateLimitRule("site", Rate.of("1/h"), 0, RateKey.HOST, RateLimitRule.Store.REDIS, room.fairQueue());
        RateLimitRule plain =
                new RateLimitRule("api", Rate.of("1/h"), 0, RateKey.HOST, RateLimitRule.Store.REDIS, null);
        RedisSettings redis = TestRedis.of("redis://" + REDIS.address(), Map.of("deadline", Duration.ofSeconds(3)));
        return RateLimits.open(
                new RateLimitSettings("away", 1, List.of(shared, plain), Map.of(), redis),
                new RateLimits.Environment(
                        ring,
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        loops,
                        (loop, address, domains, listener) -> listener.accept(AddressOwnerLookup.Response.NO)));
    }

    @BeforeEach
    void start() {
        Awaitility.await().until(limits::healthy);
        requests.replaceLimits(limits.limiters());
        loop.register(channel).syncUninterruptibly();
        channel.pipeline().addLast(new StageChain(List.of(limits.admission(), new LastStage(passed::add))));
    }

    @AfterEach
    void stop() {
        limits.close();
        requests.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void cookiesStayValidDuringAnOutage() {
        assertThat(send(requests.get("/")).passed).as("the base rate").isTrue();
        String[] holders = new String[2];
        for (int i = 0; i < 2; i++) {
            int index = i;
            String[] mine = {""};
            // A young server admits no new client before this node has reported the passes that it knows.
            Awaitility.await().until(() -> {
                Sent sent = send(requests.get("/").cookie(mine[0]));
                mine[0] = sent.cookie();
                holders[index] = mine[0];
                return sent.passed;
            });
        }
        Sent waiting = send(requests.get("/"));
        assertThat(waiting.status).isEqualTo(503);
        assertThat(waiting.response.value(FieldName.of("postern-queue-position")))
                .isEqualTo("1");

        REDIS.server().freeze();
        try {
            Sent newcomer = send(requests.get("/"));
            assertThat(newcomer.refusal()).isEqualTo(Refusal.ROOM_UNKNOWN);
            assertThat(newcomer.response.value(FieldName.of("retry-after"))).isNotEmpty();
            assertThat(send(requests.get("/").cookie(holders[0])).passed).isTrue();
            Sent again = send(requests.get("/").cookie(waiting.cookie()));
            assertThat(again.refusal()).isEqualTo(Refusal.WAITING);
            assertThat(again.response.value(FieldName.of("postern-queue-position")))
                    .isEqualTo("1");
            assertThat(send(requests.get("/").limit("api")).passed)
                    .as("this node's share")
                    .isTrue();
            assertThat(send(requests.get("/").limit("api")).status).isEqualTo(429);
            assertThat(limits.healthy()).isFalse();
        } finally {
            REDIS.server().thaw();
        }
        Awaitility.await().until(() -> send(requests.get("/")).refusal() == Refusal.WAITING);
        assertThat(send(requests.get("/").cookie(waiting.cookie()))
                        .response
                        .value(FieldName.of("postern-queue-position")))
                .isEqualTo("1");
    }

    private Sent send(AdmissionFixture.Request request) {
        RecordedResponse response = new RecordedResponse();
        Exchange exchange = request.exchange(response, loop);
        loop.execute(() -> channel.pipeline().fireChannelRead(exchange));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(30))
                .until(() -> passed.contains(exchange) || response.status() != 0);
        boolean through = passed.remove(exchange);
        loop.submit(exchange::end).syncUninterruptibly();
        return new Sent(exchange, response, through, response.status());
    }

    private record Sent(Exchange exchange, RecordedResponse response, boolean passed, int status) {

        Refusal refusal() {
            Refusal refusal = exchange.outcome().refusal();
            return refusal == null ? Refusal.INTERNAL : refusal;
        }

        String cookie() {
            return response.value(FieldName.SET_COOKIE).split(";", 2)[0];
        }
    }
}
