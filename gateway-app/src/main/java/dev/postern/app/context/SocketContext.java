package dev.postern.app.context;

import dev.postern.core.transport.EffectiveSocketOptions;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Context of the sockets: the transport, and the socket options in force on open sockets. */
public final class SocketContext implements ContextSource {

    private final Transport transport;
    private final SocketOptions asked;
    private final SocketOptionsMonitor sockets;
    private final CongestionControls controls;

    /** @param asked options of every socket whose listener or upstream configures no others */
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
                "transport.kind: auto, on Linux with the native library. Reason: " + transport.why()
                        + "."));
        // Checked before any socket is open, so that a wrong setting is reported at the start.
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
                    "sysctl -w net.core.somaxconn=" + wanted + "; then restart."));
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
                        ? "The kernel did not apply TCP_NODELAY: look for a library or an agent that sets socket options."
                        : "transport.tcp-no-delay: true."));
        String control = seen.wanted().congestionControl();
        items.add(controls.judge(place, control, worst(seen, EffectiveSocketOptions::congestionControl, control)));
        EffectiveSocketOptions one = seen.found().get(0);
        items.add(ContextItem.measure(place + ".send-buffer-bytes", Integer.toString(one.sendBuffer())));
        items.add(ContextItem.measure(place + ".receive-buffer-bytes", Integer.toString(one.receiveBuffer())));
    }

    /** Returns the value of the first socket that differs from the good value; otherwise the good value. */
    private static String worst(
            SocketOptionsMonitor.Seen seen, Function<EffectiveSocketOptions, String> fact, String good) {
        List<String> found = seen.found().stream().map(fact).toList();
        return found.stream().filter(one -> !one.equals(good)).findFirst().orElse(found.get(0));
    }
}
