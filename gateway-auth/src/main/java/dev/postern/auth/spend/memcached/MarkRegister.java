package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.store.Fate;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Every server keeps a note of all servers' marks, so that a gateway that starts while one of them is away makes the same epoch as those
 * that knew it. Written by who has seen all of them, read once from each server, and believed only of servers not seen yet.
 *
 * <p>Works on the ledger's thread; answers come on the pipes' threads.
 */
final class MarkRegister {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<String> names;
    private final Link.Tools tools;
    private final byte[] key;
    private final Map<Pipe, String> written = new HashMap<>();

    MarkRegister(List<String> names, Link.Tools tools) {
        this.names = names;
        this.tools = tools;
        this.key = tools.keys().register();
    }

    /** @param pipes one for each server, in the order of their names; null where none is verified */
    void tend(List<@Nullable Pipe> pipes) {
        written.keySet().retainAll(pipes);
        String text = pipes.contains(null) ? null : text();
        for (Pipe pipe : pipes) {
            if (pipe == null) {
                continue;
            }
            if (!written.containsKey(pipe)) {
                read(pipe);
            } else if (text != null && !text.equals(written.get(pipe))) {
                write(pipe, text);
            }
        }
    }

    private void read(Pipe pipe) {
        ByteBuffer gets = KeyText.gets(key);
        if (pipe.send(new GetsCommand(gets, deadline(), answer -> tools.tender().now(() -> found(pipe, answer))))) {
            written.put(pipe, "");
        }
    }

    private void found(Pipe pipe, GetsReply.Answer answer) {
        byte[] value = answer.value();
        if (answer.fate() != Fate.STORED || value == null) {
            return;
        }
        String text = new String(value, US_ASCII);
        written.replace(pipe, text);
        text.lines().forEach(line -> {
            int space = line.indexOf(' ');
            int server = names.indexOf(line.substring(0, Math.max(space, 0)));
            if (server >= 0) {
                tools.marks().heard(server, line.substring(space + 1).getBytes(US_ASCII));
            }
        });
    }

    private void write(Pipe pipe, String text) {
        ByteBuffer set = KeyText.set(key, text.getBytes(US_ASCII));
        if (pipe.send(new StoreCommand(set, deadline(), fate -> {}))) {
            written.put(pipe, text);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(names.get(i))
                    .append(' ')
                    .append(new String(tools.marks().mark(i), US_ASCII))
                    .append('\n');
        }
        return text.toString();
    }

    private static long deadline() {
        return System.nanoTime() + PATIENCE_NANOS;
    }
}
