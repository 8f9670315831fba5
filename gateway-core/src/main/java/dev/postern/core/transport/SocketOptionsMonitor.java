package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.lang.ref.WeakReference;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Socket options monitor: sets the options on each new socket, and reads back the options that the kernel has in force on a sample of the
 * open sockets, by listener and upstream, for the report of the hidden context. Thread-safe.
 */
public final class SocketOptionsMonitor {

    private final Map<String, SocketSample> samples = new ConcurrentHashMap<>();
    private final Map<String, Channel> listening = new ConcurrentHashMap<>();

    /**
     * Wanted and effective options of one listener or upstream.
     *
     * @param found of a sample of its open sockets; without an open socket, the last options that were read
     */
    public record Seen(String component, SocketOptions wanted, List<EffectiveSocketOptions> found) {}

    /** Backlog of a listening socket: connections that may wait to be accepted, as wanted and as the kernel has it. */
    public record Backlog(String component, int wanted, int found) {}

    /** @param component {@code listener NAME} or {@code upstream NAME} */
    public void apply(String component, SocketOptions options, Channel channel) {
        options.apply(channel);
        samples.computeIfAbsent(component, p -> new SocketSample(options)).add(options, channel);
    }

    /** Monitors that listening socket until it is closed. */
    public void listening(String component, Channel socket) {
        listening.put(component, socket);
        socket.closeFuture().addListener(closed -> listening.remove(component, socket));
    }

    /** Returns the options by place, for every place that had a socket so far, sorted by name. */
    public List<Seen> seen() {
        return samples.entrySet().stream()
                .map(e ->
                        new Seen(e.getKey(), e.getValue().wanted(), e.getValue().found()))
                .sorted(Comparator.comparing(Seen::component))
                .toList();
    }

    /** Returns the backlogs of all listening sockets whose transport can report them, sorted by name. */
    public List<Backlog> backlogs() {
        return listening.entrySet().stream()
                .map(e -> backlog(e.getKey(), e.getValue()))
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(Backlog::component))
                .toList();
    }

    private static @Nullable Backlog backlog(String component, Channel socket) {
        TcpInfo info = TcpInfo.of(socket);
        Integer wanted = socket.config().getOption(ChannelOption.SO_BACKLOG);
        return info == null || wanted == null ? null : new Backlog(component, wanted, info.backlog());
    }

    /** Sample of the sockets of one place: the first ones; later, every 64th socket replaces one of the sample. Thread-safe. */
    private static final class SocketSample {

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
}
