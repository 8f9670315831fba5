package dev.postern.core.exchange;

import dev.postern.core.http.Field;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.net.AddressPrefix;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Exchange: one request and its response. The exchange is the message that travels the pipeline, with its whole state, so that handlers
 * keep none.
 *
 * <p>Accessed only on {@link #loop()}; a stage that continues in a store or a worker thread returns to this loop. An exchange ends exactly
 * once, in every case, and then its listeners run.
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
    private @Nullable Object[] values = NOTHING;
    private InetAddress clientAddress;
    private String clientScheme;
    private List<Field> responseFields = List.of();
    // Most exchanges have two listeners; an array for them would cost each 24 bytes.
    private @Nullable EndListener firstListener;
    private @Nullable EndListener secondListener;
    private @Nullable List<EndListener> otherListeners;
    private @Nullable Consumer<ResponseHead> upstreamListener;
    private @Nullable Refusal fault;
    private @Nullable Credential credential;
    private @Nullable Field requestId;
    private boolean responding;
    private boolean ended;
    private @Nullable Runnable overListener;
    private boolean tunnelled;
    private boolean finished;

    /**
     * Creates an exchange for a request head.
     *
     * @param carrier the protocol's part: sink of the response, source of the body, turn in the pipeline
     * @param timeline started when the first byte of the request arrived
     */
    public Exchange(ClientConnection client, RequestHead request, Carrier carrier, Timeline timeline) {
        this.client = client;
        this.clientAddress = client.peer();
        this.clientScheme = client.secure() ? "https" : "http";
        this.request = request;
        this.body = carrier.body();
        this.response = carrier.response();
        this.turn = carrier.turn();
        this.timeline = timeline;
    }

    /** Carrier of an exchange: the objects that the protocol provides. */
    public record Carrier(RequestBody body, ResponseSink response, PipelineTurn turn) {}

    public ClientConnection client() {
        return client;
    }

    /** Returns the address of the client: the peer, or the address that a trusted proxy before the gateway reports. */
    public InetAddress clientAddress() {
        return clientAddress;
    }

    /** Returns the prefix of the client's address that counts as one client. */
    public AddressPrefix clientPrefix() {
        return client.listener().networks().client(clientAddress);
    }

    /** Returns the prefix of the client's address that a household or egress keeps when its address changes. */
    public AddressPrefix networkPrefix() {
        return client.listener().networks().network(clientAddress);
    }

    public void clientAddress(InetAddress address) {
        clientAddress = address;
    }

    /**
     * Returns the scheme that the client uses, {@code http} or {@code https}: that of its connection, or the one that a trusted proxy
     * before the gateway reports.
     */
    public String clientScheme() {
        return clientScheme;
    }

    public void clientScheme(String scheme) {
        clientScheme = scheme;
    }

    /** Returns whether the client uses TLS, to the gateway or to a trusted proxy before it. */
    public boolean clientSecure() {
        return clientScheme.equals("https");
    }

    public EventLoop loop() {
        return client.loop();
    }

    /** Returns the current time, of the ticker of the loop. */
    public long now() {
        return client.loop().ticker().nanoTime();
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

    /** Returns the turn of the exchange among those of its connection. */
    public PipelineTurn turn() {
        return turn;
    }

    public Timeline timeline() {
        return timeline;
    }

    public Outcome outcome() {
        return outcome;
    }

    /** Returns the fault of the head found by the codec, or null; the exchange is refused as soon as the log stage has seen it. */
    public @Nullable Refusal fault() {
        return fault;
    }

    public void fault(Refusal refusal) {
        fault = refusal;
    }

    /** Returns the credential that <i>verify</i> accepted, or null. */
    public @Nullable Credential credential() {
        return credential;
    }

    public void credential(Credential verified) {
        credential = verified;
    }

    /** Returns the field with the id of the exchange, or null on a listener without ids. */
    public @Nullable Field requestId() {
        return requestId;
    }

    /** Returns the id of the exchange; empty on a listener without ids. */
    public String requestIdText() {
        Field id = requestId;
        return id == null ? "" : id.value();
    }

    public void requestId(Field id) {
        requestId = id;
    }

    @SuppressWarnings("unchecked") // only put() writes, with the type of the key
    public <T> @Nullable T get(ExchangeKey<T> key) {
        int index = key.index();
        return index < values.length ? (T) values[index] : null;
    }

    public <T> void put(ExchangeKey<T> key, T value) {
        int index = key.index();
        if (index >= values.length) {
            values = Arrays.copyOf(values, index + 4);
        }
        values[index] = value;
    }

    /** Adds a field to the final response, from the upstream or the gateway. */
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

    /** Returns the fields that the codec adds to the final head; called when that head is sent. */
    public List<Field> responseFields() {
        if (!client.listener().serverTiming()) {
            return responseFields;
        }
        List<Field> timed = new ArrayList<>(responseFields);
        timed.add(ServerTiming.of(timeline));
        return timed;
    }

    /** Returns whether a final response has begun, by the gateway or an upstream: no other response may follow. */
    public boolean responding() {
        return responding;
    }

    public void markResponding() {
        responding = true;
    }

    /** Sends a local reply. Does nothing when a response has begun or the exchange has ended. */
    public void reply(LocalReply reply) {
        if (responding || ended) {
            return;
        }
        responding = true;
        reply.writeTo(this);
    }

    /** Refuses with that code; {@code fields} are added to the response, such as a challenge. */
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

    /** Registers a listener that gets the head of the upstream's final response before the client does, and may change that head. */
    public void whenUpstreamResponds(Consumer<ResponseHead> listener) {
        Consumer<ResponseHead> previous = upstreamListener;
        upstreamListener = previous == null ? listener : previous.andThen(listener);
    }

    /** Signals the final head of the upstream; the proxy calls this method before passing the head on. */
    public void upstreamResponded(ResponseHead head) {
        Consumer<ResponseHead> listener = upstreamListener;
        if (listener != null) {
            listener.accept(head);
        }
    }

    public boolean ended() {
        return ended;
    }

    /** Registers a listener that runs when the exchange has ended, in the order of registration; at once when it has ended already. */
    public void whenEnded(EndListener listener) {
        if (ended) {
            listener.ended(this);
            return;
        }
        if (firstListener == null) {
            firstListener = listener;
        } else if (secondListener == null) {
            secondListener = listener;
        } else {
            List<EndListener> others = otherListeners;
            if (others == null) {
                others = new ArrayList<>(2);
                otherListeners = others;
            }
            others.add(listener);
        }
    }

    /** Ends the exchange; the codec calls this method after the last byte is written or the client is gone. Later calls do nothing. */
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        notify(firstListener);
        notify(secondListener);
        List<EndListener> others = otherListeners;
        if (others != null) {
            others.forEach(this::notify);
        }
        if (!tunnelled) {
            over();
        }
    }

    private void notify(@Nullable EndListener listener) {
        if (listener != null) {
            listener.ended(this);
        }
    }

    /** Registers a listener that runs when the exchange is over: after its end, or after the end of the tunnel that the exchange opened. */
    public void whenOver(Runnable listener) {
        if (finished) {
            listener.run();
            return;
        }
        Runnable previous = overListener;
        overListener = previous == null
                ? listener
                : () -> {
                    previous.run();
                    listener.run();
                };
    }

    /** Marks the exchange as a tunnel: over only when the tunnel is closed. The codec calls this method before {@link #end}. */
    public void markTunnelled() {
        tunnelled = true;
    }

    /** Signals that the exchange is over; later calls do nothing. */
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

    /** Listener for the end of an exchange; must not throw. */
    @FunctionalInterface
    public interface EndListener {

        void ended(Exchange exchange);
    }
}
