package dev.postern.core.server;

import dev.postern.core.connection.ListenerAdmission;
import dev.postern.core.transport.loop.DrainState;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.Objects;

/**
 * What clients get who connect to a listening socket, as long as its settings are these, and who they are. Thread-safe.
 *
 * @param admission the same for the gate
 * @param state whether they are to go
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

    /** Whether clients who are connected by these terms may stay when those are the settings: they differ in bounds at most. */
    boolean suits(ListenerSettings now) {
        return settings.listener().equals(now.listener())
                && settings.protocols().equals(now.protocols())
                && settings.proxyProtocol() == now.proxyProtocol()
                && Objects.equals(settings.tls(), now.tls());
    }

    /** Asks clients to go, and lets each of them finish. */
    void ask() {
        state.ask();
        clients.forEach(c -> c.pipeline().fireUserEventTriggered(DrainState.ASKED));
    }

    /** Tells clients to go after the response they wait for. */
    void drainNow() {
        state.begin();
        clients.forEach(c -> c.pipeline().fireUserEventTriggered(DrainState.BEGUN));
    }
}
