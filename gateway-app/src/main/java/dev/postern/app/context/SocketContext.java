package dev.postern.app.context;

import dev.postern.core.transport.EffectiveSocketOptions;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** How the process talks to the kernel, and what the kernel has in force on sockets that are open. */
public final class SocketContext implements ContextSource {

    private final Transport transport;
    private final SocketOptions asked;
    private final SocketOptionsMonitor sockets;
    private final CongestionControls controls;

    /** @param asked of every socket whose listener or upstream says nothing else */
    public SocketContext(Transport transport, SocketOptions asked, SocketOptionsMonitor sockets, ProcFiles proc) {
        this.transport = transport;
        this.asked = asked;
        this.sockets = sockets;
        this.controls = new CongestionControls(proc);
    }

    @Override
    public List<ContextItem> items() {
        List<ContextItem> items = new ArrayList<>();
        items.add(ContextItem.judged(
                "transport",
                "epoll or io_uring",
                transport.name(),
                transport.isNative(),
                "transport.kind: auto, on Linux with the native library. It is so now because: " + transport.why()
                        + "."));
        // Before there is any socket: so that what is wrong from the start is named at the start.
        items.add(ContextItem.setting(
                "transport.tcp-no-delay", "true", Boolean.toString(asked.noDelay()), "transport.tcp-no-delay: true."));
        String control = asked.congestionControl();
        items.add(controls.judge("transport", control, controls.granted(control)));
        for (SocketOptionsMonitor.Backlog backlog : sockets.backlogs()) {
            String wanted = Integer.toString(backlog.wanted());
            items.add(ContextItem.setting(
                    backlog.place() + ".backlog",
                    wanted,
                    Integer.toString(backlog.found()),
                    "sysctl -w net.core.somaxconn=" + wanted + "; then start anew."));
        }
        sockets.seen().forEach(seen -> tell(items, seen));
        return items;
    }

    private void tell(List<ContextItem> items, SocketOptionsMonitor.Seen seen) {
        String place = seen.place();
        items.add(ContextItem.setting(
                place + ".tcp-no-delay",
                "true",
                worst(seen, options -> Boolean.toString(options.noDelay()), "true"),
                seen.wanted().noDelay()
                        ? "The kernel did not take TCP_NODELAY: look for a library or an agent that sets socket options."
                        : "transport.tcp-no-delay: true."));
        String control = seen.wanted().congestionControl();
        items.add(controls.judge(place, control, worst(seen, EffectiveSocketOptions::congestionControl, control)));
        EffectiveSocketOptions one = seen.found().get(0);
        items.add(ContextItem.measure(place + ".send-buffer-bytes", Integer.toString(one.sendBuffer())));
        items.add(ContextItem.measure(place + ".receive-buffer-bytes", Integer.toString(one.receiveBuffer())));
    }

    /** What the first socket has that has another one than the good one; else the good one. */
    private static String worst(
            SocketOptionsMonitor.Seen seen, Function<EffectiveSocketOptions, String> fact, String good) {
        List<String> found = seen.found().stream().map(fact).toList();
        return found.stream().filter(one -> !one.equals(good)).findFirst().orElse(found.get(0));
    }
}
