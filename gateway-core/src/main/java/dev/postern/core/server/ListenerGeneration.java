package dev.postern.core.server;

import dev.postern.core.connection.ListenerAdmission;
import dev.postern.core.transport.loop.DrainState;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.Objects;

/**
 * Generation of a listening socket: its settings between two reloads, and the clients that connected meanwhile. Thread-safe.
 *
 * @param admission the admission rules of these settings
 * @param state drain state of the clients
 */
record ListenerGeneration(
        ListenerSettings settings, ListenerAdmission admission, DrainState state, ChannelGroup clients) {

    static ListenerGeneration of(ListenerSettings settings) {
        return new ListenerGeneration(
                settings,
                new ListenerAdmission(settings.listener(), settings.proxyProtocol(), settings.tls() != null),
                new DrainState(),
                new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true));
    }

    /** Returns whether connected clients may stay under the new settings: the two differ in limits at most. */
    boolean suits(ListenerSettings now) {
        return settings.listener().equals(now.listener())
                && settings.protocols().equals(now.protocols())
                && settings.proxyProtocol() == now.proxyProtocol()
                && Objects.equals(settings.tls(), now.tls());
    }

    /** Asks clients to close, and lets all exchanges finish. */
    void ask() {
        state.ask();
        clients.forEach(c -> c.pipeline().fireUserEventTriggered(DrainState.ASKED));
    }

    /** Closes each client's connection after the responses under way. */
    void drainNow() {
        state.begin();
        clients.forEach(c -> c.pipeline().fireUserEventTriggered(DrainState.BEGUN));
    }
}
