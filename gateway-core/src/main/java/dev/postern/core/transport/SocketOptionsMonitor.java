package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Socket options monitor: sets the options on each new socket, and reads back the options that the kernel has in force on a sample of the
 * open sockets, by listener and upstream, for the report of the hidden context. Thread-safe.
 */
public final class SocketOptionsMonitor {

    private final Map<String, SocketSample> components = new ConcurrentHashMap<>();
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
        components.computeIfAbsent(component, p -> new SocketSample(options)).add(options, channel);
    }

    /** Monitors that listening socket until it is closed. */
    public void listening(String component, Channel socket) {
        listening.put(component, socket);
        socket.closeFuture().addListener(closed -> listening.remove(component, socket));
    }

    /** Returns the options by place, for every place that had a socket so far, sorted by name. */
    public List<Seen> seen() {
        return components.entrySet().stream()
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
}
