package dev.postern.core.transport;

import io.netty.channel.Channel;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Sample of the sockets of one place: the first ones; later, every 64th socket replaces one of the sample. Thread-safe. */
final class SocketSample {

    private static final int SIZE = 8;
    private static final int EVERY = 64;

    private final AtomicLong sockets = new AtomicLong();
    private final AtomicReferenceArray<@Nullable WeakReference<Channel>> some = new AtomicReferenceArray<>(SIZE);
    private volatile SocketOptions wanted;
    private volatile EffectiveSocketOptions last = new EffectiveSocketOptions(false, "", -1, -1, -1);

    SocketSample(SocketOptions wanted) {
        this.wanted = wanted;
    }

    void add(SocketOptions options, Channel channel) {
        wanted = options;
        long number = sockets.getAndIncrement();
        if (number < SIZE || number % EVERY == 0) {
            some.set((int) (number < SIZE ? number : number / EVERY % SIZE), new WeakReference<>(channel));
        }
        if (number == 0) {
            last = SocketOptions.readBack(channel);
        }
    }

    /** Returns the options that were last set. */
    SocketOptions wanted() {
        return wanted;
    }

    /** Returns the effective options of the open sockets in the sample. */
    List<EffectiveSocketOptions> found() {
        List<EffectiveSocketOptions> found = IntStream.range(0, SIZE)
                .mapToObj(some::get)
                .map(reference -> reference == null ? null : reference.get())
                .filter(channel -> channel != null && channel.isOpen())
                .map(SocketOptions::readBack)
                .toList();
        if (found.isEmpty()) {
            return List.of(last);
        }
        last = found.get(0);
        return found;
    }
}
