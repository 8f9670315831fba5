package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http1.RandomPipeline.Fate;
import dev.postern.core.http1.RandomPipeline.Request;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Received;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests 10,000 random pipelines of methods, bodies, delays, failures and closes against their model: the responses in order and byte for
 * byte, unsafe requests at most once at the origin, and a spend exactly for each request that was forwarded.
 */
@ExtendWith(LeakExtension.class)
class RandomPipelinesIT {

    private static final int PIPELINES = 1_000;
    private static final int CLIENTS = 8;

    /** Stage that lets exchanges pass at once or later, in another order than they came. */
    private static final class ReorderingStage extends ExchangeStage {

        private final SplittableRandom random;

        ReorderingStage(long seed) {
            super(StageName.VERIFY);
            this.random = new SplittableRandom(seed);
        }

        @Override
        protected void onExchange(Exchange exchange) {
            if (random.nextBoolean()) {
                proceed(exchange);
            } else {
                exchange.loop().schedule(() -> proceed(exchange), random.nextInt(2_000), TimeUnit.MICROSECONDS);
            }
        }
    }

    /** Stage that records what it lets pass, in the place of the ledger. */
    private static final class RecordingStage extends ExchangeStage {

        private final Map<String, Integer> spent = new ConcurrentHashMap<>();

        RecordingStage() {
            super(StageName.SPEND);
        }

        @Override
        protected void onExchange(Exchange exchange) {
            spent.merge(id(exchange.request().path()), 1, Integer::sum);
            proceed(exchange);
        }
    }

    private static String id(String path) {
        return path.split("/")[1];
    }

    /** Responds as the path says: {@code /ID/FRAMING LENGTH/FATE}. */
    private static void respond(Received request, Socket socket) throws IOException {
        String[] words = request.line().split(" ")[1].split("/");
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(Math.floorMod(words[1].hashCode(), 1_500)));
        int length = Integer.parseInt(words[2].substring(1));
        String body = new Request(words[1], "", false, true, Fate.RESPONSE, false, length).responseBody();
        String head = "HTTP/1.1 200 OK\r\n";
        if (words[3].equals("broken")) {
            socket.close();
        } else if (words[3].equals("cut")) {
            write(socket, head + "Content-Length: 100\r\n\r\n" + body.substring(0, 10));
            socket.close();
        } else if (request.line().startsWith("HEAD")) {
            write(socket, head + "Content-Length: " + length + "\r\n\r\n");
        } else if (words[2].charAt(0) == 'l') {
            write(socket, head + "Content-Length: " + length + "\r\n\r\n" + body);
        } else {
            String chunk = body.isEmpty() ? "" : Integer.toHexString(length) + "\r\n" + body + "\r\n";
            write(socket, head + "Transfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n");
        }
    }

    private static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    }

    @RepeatedTest(10)
    void pipelinesBehaveLikeTheirModel(RepetitionInfo repetition) throws Exception {
        RecordingStage spend = new RecordingStage();
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address())
                        .verify(new ReorderingStage(repetition.getCurrentRepetition()))
                        .spend(spend))) {
            origin.behave(RandomPipelinesIT::respond);
            List<RandomPipeline> pipelines = new ArrayList<>();
            SplittableRandom random = new SplittableRandom(9112 + repetition.getCurrentRepetition());
            for (int i = 0; i < PIPELINES; i++) {
                pipelines.add(RandomPipeline.of(random, "p" + i));
            }
            exchangeAll(pipelines, gateway.port());
            checkForwarded(pipelines, origin.received(), spend.spent);
        }
    }

    private static void exchangeAll(List<RandomPipeline> pipelines, int port) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (RandomPipeline pipeline : pipelines) {
                tasks.add(() -> {
                    exchange(pipeline, port);
                    return null;
                });
            }
            for (Future<Void> done : clients.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private static void exchange(RandomPipeline pipeline, int port) {
        try (RawClient client = new RawClient(port)) {
            client.send(pipeline.bytes()).finish();
            for (Request request : pipeline.withResponse()) {
                if (request.fate() == Fate.CUT) {
                    assertThatThrownBy(client::read).as(request.id()).isInstanceOf(IllegalStateException.class);
                    return;
                }
                Response response = read(client, request, pipeline);
                assertThat(response.status()).as(request.id()).isEqualTo(request.status());
                if (request.fate() == Fate.RESPONSE) {
                    String body = request.head() ? "" : request.responseBody();
                    assertThat(response.body()).as(request.id()).isEqualTo(body);
                }
            }
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    private static Response read(RawClient client, Request request, RandomPipeline pipeline) {
        try {
            return request.head() ? client.readHead() : client.read();
        } catch (IllegalStateException e) {
            throw new AssertionError("no response to " + request.id() + " of " + pipeline.describe(), e);
        }
    }

    private static void checkForwarded(
            List<RandomPipeline> pipelines, List<Received> received, Map<String, Integer> spent) {
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        received.forEach(request -> seen.merge(id(request.line().split(" ")[1]), 1, Integer::sum));
        assertThat(spent.values()).containsOnly(1);
        assertThat(spent.keySet()).as("spent").containsAll(seen.keySet());
        for (RandomPipeline pipeline : pipelines) {
            boolean ended = false;
            boolean cut = false;
            for (Request request : pipeline.requests()) {
                int times = seen.getOrDefault(request.id(), 0);
                boolean forwarded = request.forwardable() && !ended;
                // Safe requests are forwarded before the response ahead of them breaks the connection, or never.
                if (!cut || !request.safe()) {
                    assertThat(times > 0).as("forwarded: %s", request.id()).isEqualTo(forwarded);
                    assertThat(spent.containsKey(request.id()))
                            .as("spent: %s", request.id())
                            .isEqualTo(forwarded);
                }
                if (!request.safe()) {
                    assertThat(times).as("unsafe: %s", request.id()).isLessThanOrEqualTo(1);
                }
                ended |= request.last();
                cut |= request.fate() == Fate.CUT;
            }
        }
    }
}
