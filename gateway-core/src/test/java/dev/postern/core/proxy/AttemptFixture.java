package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.FakeUpstreamStream;
import dev.postern.core.testing.RecordedResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attempt without sockets: a test plays its client, its upstream and its owner. */
final class AttemptFixture implements AttemptOwner {

    static final Duration FIRST_BYTE = Duration.ofSeconds(60);
    static final Duration IDLE = Duration.ofSeconds(20);

    private final ExchangeFixture client = new ExchangeFixture();
    private final FakeUpstreamStream stream = new FakeUpstreamStream();
    private final List<String> asked = new ArrayList<>();
    private boolean repeats;
    private boolean expects;
    private boolean multiplexed;
    private @Nullable UpstreamAttempt attempt;

    /** Lets the owner start another attempt whenever it is asked. */
    AttemptFixture repeats() {
        repeats = true;
        return this;
    }

    /** Lets the upstream decide on Expect. */
    AttemptFixture expects() {
        expects = true;
        return this;
    }

    AttemptFixture overStreams() {
        multiplexed = true;
        stream.shared(true);
        return this;
    }

    ExchangeFixture client() {
        return client;
    }

    Exchange exchange() {
        return client.exchange();
    }

    RecordedResponse response() {
        return client.response();
    }

    FakeUpstreamStream stream() {
        return stream;
    }

    /** Returns what the owner was asked. */
    List<String> asked() {
        return asked;
    }

    /** Returns the attempt, started at the first call. */
    UpstreamAttempt start() {
        UpstreamAttempt started = attempt;
        if (started == null) {
            started = new UpstreamAttempt(exchange(), stream, FIRST_BYTE, IDLE, this);
            attempt = started;
            started.start(client.now());
        }
        return started;
    }

    /** Returns the time left for the next bytes of the upstream, or null while there is no timeout. */
    @Nullable
    Duration timeout() {
        return stream.timeout(client.now());
    }

    /** Responds with the head of a chunked response. */
    void head(int status) {
        stream.upstream().head(new ResponseHead().status(status).bodyLength(ResponseHead.CHUNKED));
    }

    /** Responds with one read of content. */
    void content(String... pieces) {
        for (String piece : pieces) {
            stream.upstream().content(text(piece));
        }
        stream.upstream().readComplete();
    }

    static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, UTF_8);
    }

    @Override
    public boolean retry(Refusal refusal, boolean silent) {
        asked.add("retry " + refusal.code() + (silent ? " silent" : ""));
        return repeats;
    }

    @Override
    public boolean unprocessed(boolean leaving) {
        asked.add(leaving ? "leaving" : "unprocessed");
        return repeats;
    }

    @Override
    public void responded(ResponseHead head) {
        asked.add("responded " + head.status());
    }

    @Override
    public void tunnelled(Channel upstream) {
        asked.add("tunnelled");
    }

    @Override
    public void tunnelled(Exchange tunnel) {
        asked.add("tunnelled");
    }

    @Override
    public boolean multiplexed() {
        return multiplexed;
    }

    @Override
    public boolean forwardsExpect() {
        return expects;
    }
}
