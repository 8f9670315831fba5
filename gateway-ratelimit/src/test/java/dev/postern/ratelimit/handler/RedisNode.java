package dev.postern.ratelimit.handler;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.dns.AddressOwnerLookup;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.StageChain;
import dev.postern.core.testing.LastStage;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.testing.TestRedis;
import dev.postern.ratelimit.RateLimitSettings;
import dev.postern.ratelimit.RateLimits;
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

/** Runs the stage admit of one of two replicas that share a Redis and a key ring. */
final class RedisNode implements AutoCloseable {

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final EventLoop loop = loops.next();
    private final BlockingQueue<Exchange> passed = new LinkedBlockingQueue<>();
    private final Channel channel = new NioSocketChannel();
    /** Only builds requests. */
    private final AdmissionFixture requests = AdmissionFixture.room();

    private final RateLimits limits;

    /** @param namespace part of the keys in Redis */
    RedisNode(String namespace, KeyRing ring, RateLimitRule rule, String address, Duration deadline) {
        RedisSettings redis = TestRedis.of("redis://" + address, Map.of("deadline", deadline));
        limits = RateLimits.open(
                new RateLimitSettings(namespace, 2, List.of(rule), Map.of(), redis),
                new RateLimits.Environment(
                        ring,
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        loops,
                        (loop, owner, domains, listener) -> listener.accept(AddressOwnerLookup.Response.NO)));
        Awaitility.await().until(limits::healthy);
        requests.replaceLimits(limits.limiters());
        loop.register(channel).syncUninterruptibly();
        channel.pipeline().addLast(new StageChain(List.of(limits.admission(), new LastStage(passed::add))));
    }

    AdmissionFixture.Request get(String cookie) {
        return requests.get("/").cookie(cookie);
    }

    AdmissionFixture requests() {
        return requests;
    }

    /** Sends a request and ends its exchange. */
    Sent send(AdmissionFixture.Request request) {
        RecordedResponse response = new RecordedResponse();
        Exchange exchange = request.exchange(response, loop);
        loop.execute(() -> channel.pipeline().fireChannelRead(exchange));
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(30))
                .until(() -> passed.contains(exchange) || response.status() != 0);
        boolean through = passed.remove(exchange);
        loop.submit(exchange::end).syncUninterruptibly();
        return new Sent(exchange, response, through);
    }

    /** Sends a request to the status path of the room. */
    Sent poll(AdmissionFixture.Request request) {
        RecordedResponse response = new RecordedResponse();
        Exchange exchange = request.exchange(response, loop);
        loop.execute(() -> limits.rooms().serve(exchange));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> response.status() != 0);
        loop.submit(exchange::end).syncUninterruptibly();
        return new Sent(exchange, response, false);
    }

    @Override
    public void close() {
        limits.close();
        requests.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Holds the outcome of one request. */
    record Sent(Exchange exchange, RecordedResponse response, boolean passed) {

        Refusal refusal() {
            Refusal refusal = exchange.outcome().refusal();
            return refusal == null ? Refusal.INTERNAL : refusal;
        }

        String position() {
            return response.value(FieldName.of("postern-queue-position"));
        }

        /** Returns the cookie as the client sends it back; empty when none was set. */
        String cookie() {
            return response.value(FieldName.SET_COOKIE).split(";", 2)[0];
        }
    }
}
