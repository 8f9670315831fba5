package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.remote.Fate;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import net.spy.memcached.ops.OperationErrorType;
import net.spy.memcached.ops.OperationException;
import org.jspecify.annotations.Nullable;

/** A {@code gets} of one key: its bytes as they are (nothing is ever deserialised) and their cas number. */
final class GetsCommand extends Command {

    /** {@code VALUE}, a key of 250 bytes, three numbers. */
    private static final int LONGEST_LINE = 320;

    private static final int LONGEST_VALUE = 16 * 1024;

    private final Consumer<Answer> then;
    private byte @Nullable [] value;
    private long cas;
    private int position;

    /** @param then called on the library's I/O thread */
    GetsCommand(ByteBuffer bytes, long deadlineNanos, Consumer<Answer> then) {
        super(bytes, deadlineNanos, LONGEST_LINE);
        this.then = then;
    }

    @Override
    void line(byte[] text, int length) throws OperationException {
        if (is(text, length, "END")) {
            settle(value == null ? Fate.NOT_STORED : Fate.STORED);
            return;
        }
        if (is(text, Math.min(length, 12), "SERVER_ERROR")) {
            settle(Fate.REFUSED);
            return;
        }
        String[] words = new String(text, 0, length, US_ASCII).split(" ");
        if (words.length != 5 || !words[0].equals("VALUE")) {
            settle(Fate.REFUSED);
            throw new OperationException(OperationErrorType.GENERAL, "unexpected answer");
        }
        int size = Integer.parseInt(words[3]);
        cas = Long.parseUnsignedLong(words[4]);
        value = new byte[Math.min(size, LONGEST_VALUE)];
        expectData(size);
    }

    @Override
    void data(byte next, int left) {
        byte[] into = value;
        int at = into == null ? 0 : position++;
        if (into != null && at < into.length && left >= 2) {
            into[at] = next;
        }
    }

    @Override
    void settled(Fate fate) {
        then.accept(new Answer(fate, value, cas));
    }

    /**
     * What the server holds under the key.
     *
     * @param fate STORED: it holds a value; NOT_STORED: none; else nobody knows
     */
    record Answer(Fate fate, byte @Nullable [] value, long cas) {}
}
