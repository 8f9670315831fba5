package dev.postern.auth.pipelining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.auth.handler.Enforcement;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.handler.SpendStage;
import dev.postern.auth.pipelining.Pipeline.End;
import dev.postern.auth.pipelining.Step.Fate;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.core.connection.ConnectionSettings.HalfClose;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestPool;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests random pipelines of safe and unsafe requests with tokens, over upstreams with few connections that respond with random delays, fail
 * and truncate; the client ends them by a field, by the end of its output, or by a malformed request. Each client receives the responses of a simple model, in the order of its requests; an unsafe request is sent at most once,
 * alone and in order; and a token is spent exactly for a forwarded request.
 */
@ExtendWith(LeakExtension.class)
class PipelineModelIT {

    private static final long SEED = Long.getLong("pipelines.seed", 20_261_121_000_000L);
    private static final int PIPELINES = Integer.getInteger("pipelines", 400);
    private static final int CLIENTS = 2;

    /** Enough that no request is refused: two clients, eight concurrent requests each. */
    private static final int ENOUGH = 16;

    /** Maximum connections, event loops, and length of the queue: large enough for all, or so small that some requests are refused. */
    private static final int[][] SETUPS = {
        {1, 1, ENOUGH},
        {1, 2, ENOUGH},
        {2, 1, ENOUGH},
        {2, 2, ENOUGH},
        {3, 1, ENOUGH},
        {4, 2, ENOUGH},
        {2, 2, 1},
        {1, 1, 2}
    };

    private final Map<Long, Pipeline> pipelines = new ConcurrentHashMap<>();

    /** Sets the redemption of each request to the token of its step. */
    private final class TokenStage extends ExchangeStage {

        TokenStage() {
            super(StageName.VERIFY);
        }

        @Override
        protected void onExchange(Exchange exchange) {
            String[] path = exchange.request().path().split("/");
            Pipeline pipeline = pipeline(Long.parseLong(path[2]));
            Step step = pipeline.steps().get(Integer.parseInt(path[3]));
            exchange.put(dev.postern.auth.spend.Redemption.KEY, RecordingLedger.token(step));
            exchange.credential(new Credential(step.key(), false));
            pipeline.started(step, exchange);
            exchange.whenEnded(ended -> pipeline.ended());
            proceed(exchange);
        }
    }

    private Pipeline pipeline(long number) {
        return pipelines.computeIfAbsent(number, Pipeline::new);
    }

    @Test
    void everyPipelineMatchesTheModel() throws Exception {
        assertThat(PIPELINES % (SETUPS.length * CLIENTS))
                .as("rest of the pipelines without a client")
                .isZero();
        ExecutorService clients = Executors.newFixedThreadPool(SETUPS.length * CLIENTS);
        List<Future<List<String>>> results = new ArrayList<>();
        int each = PIPELINES / SETUPS.length;
        for (int fixture = 0; fixture < SETUPS.length; fixture++) {
            long first = SEED + (long) fixture * each;
            int[] bounds = SETUPS[fixture];
            results.add(clients.submit(() -> run(bounds, first, each)));
        }
        List<String> faults = new ArrayList<>();
        try {
            for (Future<List<String>> result : results) {
                faults.addAll(result.get());
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(faults).isEmpty();
        assertThat(pipelines).hasSize(PIPELINES);
    }

    /** Starts a gateway with those limits, and its clients. */
    private List<String> run(int[] bounds, long first, int count)
            throws IOException, InterruptedException, ExecutionException {
        RecordingLedger ledger = new RecordingLedger(this::pipeline);
        SpendStage spend = new SpendStage(
                ledger,
                (exchange, reason) -> exchange.refuse(Refusal.TOKEN_REQUIRED),
                KeyDefaults.of(LedgerSettings.class),
                new SpendMeters(new SimpleMeterRegistry()),
                new SpendStage.Terms(Enforcement.STRICT, null),
                Ticker.systemTicker());
        List<String> faults = new ArrayList<>();
        try (ModelOrigin origin = new ModelOrigin(this::pipeline);
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address())
                        .pool(TestPool.of(bounds[0], bounds[2], 100))
                        .connect(Duration.ofSeconds(10))
                        .limits(TestLimits.with(Map.of("halfClose", HalfClose.ALLOW)))
                        .loops(bounds[1])
                        .verify(new TokenStage())
                        .spend(spend))) {
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            List<Future<List<String>>> results = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                long from = first + (long) i * count / CLIENTS;
                results.add(clients.submit(() -> visit(gateway, ledger, bounds[2] < ENOUGH, from, count / CLIENTS)));
            }
            for (Future<List<String>> result : results) {
                faults.addAll(result.get());
            }
            clients.shutdown();
            await().until(() -> gateway.gauge("postern.upstream.connections", "state", "pending") == 0);
            await().until(() -> gateway.gauge("postern.upstream.connections", "state", "open")
                    == gateway.upstream().idle());
            for (long number = first; number < first + count; number++) {
                Pipeline pipeline = pipeline(number);
                await().until(pipeline::allEnded);
                pipeline.faults(ledger).forEach(fault -> faults.add(fault + " in " + pipeline));
            }
        } finally {
            ledger.close();
        }
        return faults;
    }

    private List<String> visit(CoreGateway gateway, RecordingLedger ledger, boolean maybeBusy, long from, int count) {
        List<String> faults = new ArrayList<>();
        EventLoop loop = new DefaultEventLoop();
        for (long number = from; number < from + count; number++) {
            Pipeline pipeline = pipeline(number);
            pipeline.steps().stream()
                    .filter(step -> step.fate() == Fate.SPENT)
                    .forEach(step -> ledger.spendBefore(step, loop));
            try {
                visit(gateway.port(), pipeline, maybeBusy);
            } catch (RuntimeException | AssertionError e) {
                faults.add(e + " in " + pipeline);
            }
        }
        loop.shutdownGracefully();
        return faults;
    }

    private static void visit(int port, Pipeline pipeline, boolean maybeBusy) {
        try (RawClient client = new RawClient(port)) {
            send(client, pipeline);
            boolean closed = false;
            for (Step step : pipeline.steps()) {
                if (step.index() == pipeline.leaveAfter()) {
                    client.reset();
                    return;
                }
                if (step.equals(pipeline.cut())) {
                    broken(client.rest(), step, maybeBusy);
                    return;
                }
                RawClient.Response got = step.method().equals("HEAD") ? client.readHead() : client.read();
                expect(got, step, pipeline, maybeBusy);
                if (got.field("Connection").equals("close")) {
                    assertThat(pipeline.mayClose(step) || refusedUnread(got, step))
                            .as("closed after %s", step.path())
                            .isTrue();
                    closed = true;
                    break;
                }
            }
            if (!closed && pipeline.end() == End.MALFORMED) {
                RawClient.Response got = client.read();
                assertThat(got.status()).as("of the malformed request").isEqualTo(400);
                assertThat(got.field("Connection")).isEqualTo("close");
            }
            assertThat(client.rest()).as("after the last response").isEmpty();
        }
    }

    /** Sends the pipeline in a few pieces, split at random. */
    private static void send(RawClient client, Pipeline pipeline) {
        StringBuilder all = new StringBuilder();
        pipeline.steps().forEach(step -> all.append(step.request(pipeline.closes(step))));
        if (pipeline.end() == End.MALFORMED) {
            all.append("GET / HTTP/1.1\r\nHost: one.example\r\nHost: two.example\r\n\r\n");
            // Nothing behind it is read: this one would arrive twice.
            all.append(pipeline.steps().get(0).request(false));
        }
        SplittableRandom random = new SplittableRandom(~pipeline.number());
        int offset = 0;
        while (offset < all.length()) {
            int end = Math.min(all.length(), offset + random.nextInt(1, 4000));
            try {
                client.send(all.substring(offset, end));
            } catch (IllegalStateException e) {
                if (pipeline.cut() == null) {
                    throw e;
                }
                return; // the gateway has cut the connection before a slow client has sent everything
            }
            offset = end;
        }
        if (pipeline.end() == End.END_OF_INPUT) {
            client.finish();
        }
    }

    private static void expect(RawClient.Response got, Step step, Pipeline pipeline, boolean maybeBusy) {
        if (maybeBusy && got.status() == 503 && got.field("X-Step").isEmpty() && step.fate() != Fate.SPENT) {
            return;
        }
        switch (step.fate()) {
            case RESPONDED -> {
                // At the end of the input, the last response says so if the end arrives before its head is written.
                boolean close = pipeline.closes(step)
                        || (pipeline.mayClose(step) && got.field("Connection").equals("close"));
                assertThat(got.head().replaceAll("date: [^\r]*\r\n", "")).isEqualTo(step.expectedHead(close));
                assertThat(got.body()).isEqualTo(step.method().equals("HEAD") ? "" : step.text());
            }
            case DROPPED -> refused(got, step, 502, "upstream-closed");
            case SPENT -> refused(got, step, 401, "token-required");
            case UNKNOWN -> refused(got, step, 503, "ledger-unknown");
            default -> refused(got, step, 405, "method-refused");
        }
    }

    /** The remaining length of a chunked body is unknown, so that it is not discarded. */
    private static boolean refusedUnread(RawClient.Response got, Step step) {
        return step.body() >= 0 && step.chunked() && got.field("X-Step").isEmpty();
    }

    private static void refused(RawClient.Response got, Step step, int status, String code) {
        assertThat(got.status()).as(step.path()).isEqualTo(status);
        if (!step.method().equals("HEAD")) {
            assertThat(got.body()).contains("\"" + code + "\"");
        }
    }

    /** Checks that only the beginning of that response was received. */
    private static void broken(String rest, Step step, boolean maybeBusy) {
        if (maybeBusy && rest.contains("upstream-busy")) {
            return;
        }
        String head = "HTTP/1.1 200 OK\r\nX-Step: " + step.path() + "\r\n";
        assertThat(rest)
                .as("of the truncated %s", step.path())
                .satisfies(text -> assertThat(text.startsWith(head) || head.startsWith(text))
                        .isTrue());
        assertThat(rest.indexOf("HTTP/1.1", 1))
                .as("after the truncated %s", step.path())
                .isNegative();
    }
}
