package dev.postern.ratelimit.handler;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import dev.postern.ratelimit.store.RoomStore;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stands before another store: does not respond while it is down, and responds late while it holds its responses. */
final class InterruptibleStore implements RoomStore {

    private final RoomStore behind;
    private final List<Runnable> held = new ArrayList<>();
    private boolean down;
    private boolean holding;
    private boolean fullOfNetworks;

    InterruptibleStore(RoomStore behind) {
        this.behind = behind;
    }

    void down(boolean value) {
        down = value;
    }

    void hold() {
        holding = true;
    }

    void release() {
        holding = false;
        held.forEach(Runnable::run);
        held.clear();
    }

    /** Permits passes no further network, as if other nodes had seen as many as may use a pass. */
    void fullOfNetworks() {
        fullOfNetworks = true;
    }

    private Consumer<AdmissionDecision> later(Consumer<AdmissionDecision> response) {
        return holding ? decision -> held.add(() -> response.accept(decision)) : response;
    }

    @Override
    public void decide(RoomKey room, AdmissionRequest request, EventLoop loop, Consumer<AdmissionDecision> response) {
        if (down) {
            later(response).accept(AdmissionDecision.unknown(1_000_000));
        } else {
            behind.decide(room, request, loop, later(response));
        }
    }

    @Override
    public void limit(String key, Gcra rate, EventLoop loop, Consumer<AdmissionDecision> response) {
        behind.limit(key, rate, loop, later(response));
    }

    @Override
    public void network(CachedPass pass, String network, EventLoop loop, Consumer<AdmissionDecision> response) {
        later(response)
                .accept(down ? AdmissionDecision.unknown(1_000_000) : AdmissionDecision.limit(!fullOfNetworks, 0));
    }

    @Override
    public void revoke(RoomKey room, String session, EventLoop loop) {
        if (!down) {
            behind.revoke(room, session, loop);
        }
    }

    @Override
    public void control(
            RoomKey room, UnaryOperator<RoomOverrides> change, EventLoop loop, Consumer<Controlled> listener) {
        behind.control(room, change, loop, listener);
    }

    @Override
    public void rules(Function<String, @Nullable RoomKey> current) {
        behind.rules(current);
    }

    @Override
    public Snapshot known(RoomKey room) {
        return behind.known(room);
    }

    @Override
    public List<RoomState> rooms() {
        return behind.rooms();
    }

    @Override
    public boolean healthy() {
        return !down;
    }

    @Override
    public void close() {
        behind.close();
    }
}
