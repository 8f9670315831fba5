package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.RequestBody;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Body of a request, in memory: a test sends its parts. */
public final class FakeRequestBody implements RequestBody {

    private @Nullable Reader reader;
    private boolean paused;
    private boolean touched;
    private boolean blocked;
    private String held = "";

    /** Holds bytes that arrived before the gateway reads. */
    public void hold(String bytes) {
        held = bytes;
    }

    /** Sends one read of the client. */
    public void send(String... pieces) {
        touched = true;
        for (String piece : pieces) {
            client().data(Unpooled.copiedBuffer(piece, UTF_8));
        }
        client().bodyReadComplete();
    }

    /** Ends the body. */
    public void end() {
        touched = true;
        client().end();
    }

    /** Returns the reader, through which a test plays the client; fails while the gateway does not read. */
    public Reader client() {
        if (reader == null) {
            throw new AssertionError("the body is not read");
        }
        return reader;
    }

    /** Lets the client send nothing, since other streams have used up the window. */
    public void block() {
        blocked = true;
    }

    /** Returns whether the gateway reads the body now. */
    public boolean read() {
        return reader != null && !paused;
    }

    @Override
    public void read(Reader next) {
        reader = next;
        if (!held.isEmpty()) {
            send(held);
        }
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
    }

    @Override
    public boolean untouched() {
        return !touched;
    }

    @Override
    public boolean sendable() {
        return !blocked;
    }
}
