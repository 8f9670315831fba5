package dev.postern.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequests;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the behaviour that both room stores have, over real event loops and a real clock. */
public abstract class StoreContract {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long SECOND = 1_000_000;

    protected final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private RoomStore store;

    protected abstract RoomStore open();

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Waits until a room that had one request admits new clients. */
    protected void settle(RoomKey room) {}

    private RoomKey room() {
        return room(new RoomRules(3, 600 * SECOND, 60 * SECOND, 20 * SECOND, 100, new Gcra(3600 * SECOND, 0)));
    }

    private RoomKey room(RoomRules rules) {
        String id = "room" + NUMBER.incrementAndGet();
        RoomKey room = new RoomKey(id, id, rules);
        ask(room, AdmissionRequests.poll("absent"));
        settle(room);
        return room;
    }

    private AdmissionDecision ask(RoomKey room, AdmissionRequest request) {
        return askAll(room, List.of(request)).get(0);
    }

    /** Sends all requests at once, alternately from both loops. */
    private List<AdmissionDecision> askAll(RoomKey room, List<AdmissionRequest> requests) {
        List<CompletableFuture<AdmissionDecision>> responses = new ArrayList<>();
        for (AdmissionRequest request : requests) {
            CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
            responses.add(response);
            EventLoop loop = loops.next();
            loop.execute(() -> store.decide(room, request, loop, decision -> {
                assertThat(loop.inEventLoop()).isTrue();
                response.complete(decision);
            }));
        }
        return responses.stream()
                .map(response -> response.orTimeout(60, TimeUnit.SECONDS).join())
                .toList();
    }

    @Test
    void neverAdmitsMoreThanTheLimitUnderConcurrentRequests() {
        RoomKey room = room();
        List<AdmissionRequest> newcomers = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            newcomers.add(AdmissionRequests.enter("s" + i));
        }
        List<AdmissionDecision> decisions = askAll(room, newcomers);
        assertThat(decisions).filteredOn(d -> d.kind() == Kind.BASE).hasSize(1);
        assertThat(decisions).filteredOn(d -> d.kind() == Kind.ADMITTED).hasSize(3);
        assertThat(decisions).filteredOn(d -> d.kind() == Kind.WAITING).hasSize(100);
        assertThat(decisions).filteredOn(d -> d.kind() == Kind.FULL).hasSize(296);
        assertThat(decisions.stream().filter(d -> d.kind() == Kind.WAITING).map(AdmissionDecision::position))
                .doesNotHaveDuplicates();
    }

    @Test
    void keepsPassAndPosition() {
        RoomKey room = room();
        for (String session : new String[] {"base", "a", "b", "c", "w"}) {
            ask(room, AdmissionRequests.enter(session));
        }
        AdmissionDecision again = ask(room, AdmissionRequests.fetch("a"));
        assertThat(again.kind()).isEqualTo(Kind.ADMITTED);
        assertThat(again.end() - again.room().now()).isEqualTo(60 * SECOND);
        AdmissionDecision waiting = ask(room, AdmissionRequests.poll("w"));
        assertThat(waiting.position()).isEqualTo(1);
        assertThat(waiting.room().waiting()).isEqualTo(1);
        assertThat(waiting.room().active()).isEqualTo(3);
        assertThat(store.known(room).epoch()).isEqualTo(waiting.room().epoch());
        assertThat(store.rooms()).anyMatch(state -> state.id().equals(room.id()) && state.active() == 3);
        assertThat(store.healthy()).isTrue();
    }

    @Test
    void aSilentSessionIsPassedOverAndBackAtItsPlace() {
        RoomKey room = room(
                new RoomRules(1, 600 * SECOND, 300 * SECOND, SECOND, 300 * SECOND, 100, new Gcra(3600 * SECOND, 0), 0));
        for (String session : new String[] {"base", "a", "pocket", "w"}) {
            ask(room, AdmissionRequests.enter(session));
        }
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .until(() -> ask(room, AdmissionRequests.poll("w")).position() == 1);
        AdmissionDecision back = ask(room, AdmissionRequests.poll("pocket"));
        assertThat(back.position()).isOne();
        assertThat(back.room().waiting()).isEqualTo(2);
        assertThat(ask(room, AdmissionRequests.poll("w")).position()).isEqualTo(2);
    }

    @Test
    void refusesARevokedPass() {
        RoomKey room = room();
        ask(room, AdmissionRequests.enter("base"));
        ask(room, AdmissionRequests.enter("a"));
        // On one loop: what another loop sends at the same time may overtake a revocation, because its sender does not
        // wait for a reply.
        EventLoop loop = loops.next();
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        loop.execute(() -> {
            store.revoke(room, "a", loop);
            store.decide(room, AdmissionRequests.poll("a"), loop, response::complete);
        });
        AdmissionDecision after = response.orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(after.kind()).isEqualTo(Kind.LIMITED);
        assertThat(after.room().active()).isEqualTo(1);
    }

    @Test
    void appliesOverridesUntilTheNextChange() {
        RoomKey room = room();
        RoomOverrides paused =
                control(room, wanted -> wanted.in(RoomMode.PAUSED).active(1)).overrides();
        assertThat(ask(room, AdmissionRequests.enter("a")).kind()).isEqualTo(Kind.WAITING);
        assertThat(store.rooms())
                .anyMatch(state ->
                        state.id().equals(room.id()) && state.overrides().equals(paused));

        RoomOverrides open =
                control(room, wanted -> wanted.in(RoomMode.EVERYBODY_QUEUES)).overrides();
        assertThat(open.active()).as("the earlier override still holds").isEqualTo(1);
        assertThat(open.newerThan(paused)).isTrue();
        assertThat(ask(room, AdmissionRequests.enter("a")).kind()).isEqualTo(Kind.ADMITTED);
        assertThat(ask(room, AdmissionRequests.enter("b")).kind()).isEqualTo(Kind.WAITING);

        control(room, wanted -> wanted.active(0));
        assertThat(ask(room, AdmissionRequests.poll("b")).kind()).isEqualTo(Kind.ADMITTED);
    }

    private RoomStore.Controlled control(RoomKey room, UnaryOperator<RoomOverrides> change) {
        CompletableFuture<RoomStore.Controlled> future = new CompletableFuture<>();
        EventLoop loop = loops.next();
        loop.execute(() -> store.control(room, change, loop, future::complete));
        RoomStore.Controlled controlled = future.orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(controlled.stored()).isTrue();
        return controlled;
    }

    @Test
    void limitsByKeyWithoutRoom() {
        Gcra rate = new Gcra(3600 * SECOND, 2 * 3600 * SECOND);
        String key = "limit" + NUMBER.incrementAndGet();
        List<Boolean> passed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            passed.add(limit(key, rate).kind().passes());
        }
        assertThat(passed).containsExactly(true, true, true, false, false);
        assertThat(limit(key, rate).retry()).isBetween(3500 * SECOND, 3600 * SECOND);
        assertThat(limit(key + "b", rate).kind()).isEqualTo(Kind.BASE);
    }

    /** Verifies a pass that is used from four networks at the same time, beside that in which its session began. */
    @Test
    void countsTheNetworksOfEachPass() {
        RoomKey room = room();
        CachedPass pass = pass(room, "a");
        List<String> networks = List.of("AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB", "CCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDDDD");
        List<String> allowed = networks.stream()
                .filter(network -> use(pass, network) && pass.networks().add(network.hashCode()))
                .toList();

        assertThat(allowed).hasSize(3);
        assertThat(networks.stream()
                        .filter(network -> use(pass, network) && pass.networks().add(network.hashCode())))
                .as("again")
                .isEqualTo(allowed);
        assertThat(use(pass(room, "b"), "DDDDDDDDDDDDDDDD")).as("another pass").isTrue();
    }

    /** Returns the pass of a session in the room, which has slots. */
    private CachedPass pass(RoomKey room, String session) {
        ask(room, AdmissionRequests.enter("base"));
        PassCache cache = new PassCache();
        AdmissionDecision decision = ask(room, AdmissionRequests.enter(session));
        assertThat(decision.kind()).isEqualTo(Kind.ADMITTED);
        long now = Micros.of(InstantSource.system());
        cache.note(room, session, decision, now);
        return Objects.requireNonNull(cache.find(room, session, now));
    }

    private boolean use(CachedPass pass, String network) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        loop.execute(() -> store.network(pass, network, loop, response::complete));
        return response.orTimeout(60, TimeUnit.SECONDS).join().kind().passes();
    }

    private AdmissionDecision limit(String key, Gcra rate) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        loop.execute(() -> store.limit(key, rate, loop, response::complete));
        return response.orTimeout(60, TimeUnit.SECONDS).join();
    }
}
