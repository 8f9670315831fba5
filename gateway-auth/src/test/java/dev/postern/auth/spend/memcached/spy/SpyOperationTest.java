package dev.postern.auth.spend.memcached.spy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.memcached.command.UnexpectedReplyException;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.OperationState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpyOperationTest {

    private final List<StoreReply> replies = new ArrayList<>();

    @Test
    void reportsEachStateToTheLibrary() throws IOException {
        SpyOperation operation = operation(later());
        assertThat(operation.getState()).isEqualTo(OperationState.WRITE_QUEUED);
        operation.writing();
        assertThat(operation.getState()).isEqualTo(OperationState.WRITING);
        operation.writeComplete();
        assertThat(operation.getState()).isEqualTo(OperationState.READING);
        operation.readFromBuffer(ISO_8859_1.encode("STOR"));
        assertThat(operation.getState()).isEqualTo(OperationState.READING);
        operation.readFromBuffer(ISO_8859_1.encode("ED\r\n"));

        assertThat(operation.getState()).isEqualTo(OperationState.COMPLETE);
        assertThat(replies).containsExactly(StoreReply.STORED);
    }

    @Test
    void isUnsentWhenCancelledBeforeTheWriteAndLostAfterwards() {
        operation(later()).cancel();
        SpyOperation writing = operation(later());
        writing.writing();
        writing.cancel();

        assertThat(replies).containsExactly(StoreReply.UNSENT, StoreReply.LOST);
        assertThat(writing.getState()).isEqualTo(OperationState.COMPLETE);
    }

    @Test
    void isCompleteWhenTheReplyIsUnexpected() {
        SpyOperation operation = operation(later());

        assertThatThrownBy(() -> operation.readFromBuffer(ISO_8859_1.encode("ERROR\r\n")))
                .isInstanceOf(UnexpectedReplyException.class);

        assertThat(operation.getState()).isEqualTo(OperationState.COMPLETE);
        assertThat(replies).containsExactly(StoreReply.REFUSED);
    }

    @Test
    void isNotWrittenAgainAfterAReconnect() {
        MemcachedNode gone = node(null);
        SpyOperation queued = operation(later());
        queued.setHandlingNode(gone);
        assertThat(queued.getBuffer()).isNull();
        SpyOperation half = operation(later());
        half.setHandlingNode(gone);
        half.writing();
        assertThat(half.getBuffer()).isNull();

        assertThat(replies)
                .as("the server may have executed the second")
                .containsExactly(StoreReply.UNSENT, StoreReply.LOST);
    }

    @Test
    void isWrittenWhileItsConnectionIsOpen() throws IOException {
        try (SocketChannel open = SocketChannel.open()) {
            SpyOperation operation = operation(later());
            operation.setHandlingNode(node(open));

            assertThat(operation.getBuffer()).isNotNull();
            assertThat(replies).isEmpty();
        }
    }

    @Test
    void isNotWrittenAfterItsDeadline() {
        assertThat(operation(Ticker.systemTicker().nanoTime()).isTimedOut(0)).isTrue();
        assertThat(operation(later()).isTimedOut(0)).isFalse();

        assertThat(replies).containsExactly(StoreReply.UNSENT);
    }

    @Test
    void tellsTheCommandThatItWasWritten() {
        List<String> written = new ArrayList<>();
        SpyOperation operation = new SpyOperation(
                new MemcachedCommand(ByteBuffer.allocate(1), later(), 1) {
                    @Override
                    protected void settled(StoreReply reply) {}

                    @Override
                    protected void line(byte[] text, int length) {}

                    @Override
                    public void writing() {
                        written.add("writing");
                    }

                    @Override
                    public void written() {
                        written.add("written");
                    }
                },
                Ticker.systemTicker());

        operation.writing();
        assertThat(written).containsExactly("writing");
        operation.writeComplete();

        assertThat(written).containsExactly("writing", "written");
    }

    @Test
    void isNeverCancelledOrFailedForTheLibrary() {
        MemcachedNode node = node(null);
        SpyOperation operation = operation(later());
        operation.setHandlingNode(node);
        operation.timeOut();

        assertThat(operation.getHandlingNode()).isSameAs(node);
        assertThat(operation.isCancelled()).isFalse();
        assertThat(operation.hasErrored()).isFalse();
        assertThat(operation.isTimedOut()).isFalse();
        assertThat(operation.isTimedOutUnsent()).isFalse();
        assertThat(replies).isEmpty();
        assertThat(operation).as("no key in logs").hasToString("command");
    }

    /** Creates a node of the library that only has a channel. */
    private static MemcachedNode node(@Nullable SocketChannel channel) {
        return (MemcachedNode) Proxy.newProxyInstance(
                SpyOperationTest.class.getClassLoader(),
                new Class<?>[] {MemcachedNode.class},
                (self, method, arguments) -> method.getName().equals("getChannel") ? channel : null);
    }

    private SpyOperation operation(long deadline) {
        return new SpyOperation(
                new StoreCommand(ByteBuffer.allocate(1), deadline, replies::add), Ticker.systemTicker());
    }

    private static long later() {
        return Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
    }
}
