package dev.postern.core.exchange;

import dev.postern.core.http.Field;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response: the message that travels the pipeline with all its state, so that no handler keeps any.
 *
 * <p>Touched only on {@link #loop()}; a stage that leaves it for a store or a worker comes back to it. It ends exactly once, whatever
 * happens, and then its listeners run.
 */
public final class Exchange {

    private static final @Nullable Object[] NOTHING = {};

    private final ClientConnection client;
    private final RequestHead request;
    private final ResponseSink response;
    private final RequestBody body;
    private final PipelineTurn turn;
    private final Timeline timeline;
    private final Outcome outcome = new Outcome();
    private @Nullable Object[] slots = NOTHING;
    private InetAddress clientAddress;
    private List<Field> responseFields = List.of();
    private EndListener @Nullable [] listeners;
    private int listenerCount;
    private @Nullable Consumer<ResponseHead> upstreamListener;
    private @Nullable Refusal fault;
    private @Nullable Credential credential;
    private boolean responding;
    private boolean ended;
    private @Nullable Runnable overListener;
    private boolean tunnelled;
    private boolean finished;

    /**
     * @param carrier the protocol's side: where the response goes, where the body comes from, whose turn it is
     * @param timeline begun when its first byte arrived
     */
    public Exchange(ClientConnection client, RequestHead request, Carrier carrier, Timeline timeline) {
        this.client = client;
        this.clientAddress = client.peer();
        this.request = request;
        this.body = carrier.body();
        this.response = carrier.response();
        this.turn = carrier.turn();
        this.timeline = timeline;
    }

    /** What a protocol brings to an exchange. */
    public record Carrier(RequestBody body, ResponseSink response, PipelineTurn turn) {}

    public ClientConnection client() {
        return client;
    }

    /** Who asks: the peer, or whom a trusted proxy in front of us names. */
    public InetAddress clientAddress() {
        return clientAddress;
    }

    public void clientAddress(InetAddress address) {
        clientAddress = address;
    }

    public EventLoop loop() {
        return client.loop();
    }

    public RequestHead request() {
        return request;
    }

    public RequestBody body() {
        return body;
    }

    public ResponseSink response() {
        return response;
    }

    /** Its place among the exchanges of its connection. */
    public PipelineTurn turn() {
        return turn;
    }

    public Timeline timeline() {
        return timeline;
    }

    public Outcome outcome() {
        return outcome;
    }

    /** Why the head is not acceptable, found by the codec; such an exchange is refused as soon as it is in the log's sight. */
    public @Nullable Refusal fault() {
        return fault;
    }

    public void fault(Refusal refusal) {
        fault = refusal;
    }

    /** What <i>verify</i> found to be good, or null. */
    public @Nullable Credential credential() {
        return credential;
    }

    public void credential(Credential verified) {
        credential = verified;
    }

    @SuppressWarnings("unchecked") // only put() writes, with the slot's own type
    public <T> @Nullable T get(ExchangeKey<T> slot) {
        int index = slot.index();
        return index < slots.length ? (T) slots[index] : null;
    }

    public <T> void put(ExchangeKey<T> slot, T value) {
        int index = slot.index();
        if (index >= slots.length) {
            slots = Arrays.copyOf(slots, index + 4);
        }
        slots[index] = value;
    }

    /** Adds a field to whatever final response goes out, the upstream's or our own. */
    public void addResponseField(Field field) {
        if (responseFields.isEmpty()) {
            responseFields = new ArrayList<>(2);
        }
        responseFields.add(field);
    }

    public void removeResponseFields(List<Field> fields) {
        if (!responseFields.isEmpty()) {
            responseFields.removeAll(fields);
        }
    }

    /** What the codec adds to the final head; asked when that goes out. */
    public List<Field> responseFields() {
        if (!client.listener().serverTiming()) {
            return responseFields;
        }
        List<Field> timed = new ArrayList<>(responseFields);
        timed.add(ServerTiming.of(timeline));
        return timed;
    }

    /** Whether a final response was begun, by us or by an upstream: from then on nobody else may answer. */
    public boolean responding() {
        return responding;
    }

    public void markResponding() {
        responding = true;
    }

    /** Sends a local reply. Nothing happens when a response was begun or the exchange has ended. */
    public void reply(LocalReply reply) {
        if (responding || ended) {
            return;
        }
        responding = true;
        reply.writeTo(this);
    }

    /** Refuses with that code; more fields go into the response (a challenge, say). */
    public void refuse(Refusal refusal, List<Field> fields) {
        if (responding || ended) {
            return;
        }
        outcome.refusal(refusal);
        reply(LocalReply.of(refusal, this, fields));
    }

    public void refuse(Refusal refusal) {
        refuse(refusal, List.of());
    }

    /** Shown the head of the upstream's final response before it goes to the client, and may change it. */
    public void whenUpstreamResponds(Consumer<ResponseHead> listener) {
        Consumer<ResponseHead> before = upstreamListener;
        upstreamListener = before == null ? listener : before.andThen(listener);
    }

    /** The upstream's final head is there; the proxy calls it before it passes the head on. */
    public void upstreamResponded(ResponseHead head) {
        Consumer<ResponseHead> listener = upstreamListener;
        if (listener != null) {
            listener.accept(head);
        }
    }

    public boolean ended() {
        return ended;
    }

    /** Runs when the exchange has ended, in the order of registration; at once when it has ended already. */
    public void whenEnded(EndListener listener) {
        if (ended) {
            listener.ended(this);
            return;
        }
        EndListener[] all = listeners;
        if (all == null) {
            all = new EndListener[2];
        } else if (listenerCount == all.length) {
            all = Arrays.copyOf(all, listenerCount * 2);
        }
        all[listenerCount++] = listener;
        listeners = all;
    }

    /** Ends the exchange; the codec calls it once the last byte is out or the client is gone. Later calls do nothing. */
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        EndListener[] all = listeners;
        if (all != null) {
            for (int i = 0; i < listenerCount; i++) {
                all[i].ended(this);
            }
        }
        if (!tunnelled) {
            over();
        }
    }

    /** Runs when nothing of the exchange goes on any more: when it has ended, or when the tunnel that it opened is closed. */
    public void whenOver(Runnable listener) {
        if (finished) {
            listener.run();
            return;
        }
        Runnable before = overListener;
        overListener = before == null
                ? listener
                : () -> {
                    before.run();
                    listener.run();
                };
    }

    /** It ends with a tunnel, and is over only when that is closed; the codec calls it before {@link #end}. */
    public void markTunnelled() {
        tunnelled = true;
    }

    /** Nothing of it goes on any more; later calls do nothing. */
    public void over() {
        if (finished) {
            return;
        }
        finished = true;
        Runnable listener = overListener;
        if (listener != null) {
            listener.run();
        }
    }

    /** Told when an exchange has ended; must not throw. */
    @FunctionalInterface
    public interface EndListener {

        void ended(Exchange exchange);
    }
}
