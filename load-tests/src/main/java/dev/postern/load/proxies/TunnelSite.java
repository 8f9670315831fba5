package dev.postern.load.proxies;

import dev.postern.load.measure.Command;
import dev.postern.load.peer.CProgram;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Relaying programs of a tunnel benchmark, on the measured core, and the ports of the load's two ends. A load is a new
 * process for each turn.
 */
final class TunnelSite {
    private static final String GATEWAY = """
            transport: {event-loops: 1}
            listeners: [{name: out, address: "127.0.0.1:%d", mode: forward, forward: all}]
            admin: {address: "127.0.0.1:%d"}
            limits: {keep-alive-timeout: 600s}
            log: {level: warn, successes: 0%%}
            """ + Postern.FORWARD_ALL;

    private static final String HAPROXY = """
            global
              nbthread 1
              %s
            defaults
              mode tcp
              timeout connect 5s
              timeout client 600s
              timeout server 600s
            listen relay
              bind 127.0.0.1:%d
              server destination 127.0.0.1:%d
            """;

    private final RunFolder folder;
    private final Path load;
    private final int client = Ports.free();
    private final int destination = Ports.free();

    TunnelSite(RunFolder folder) {
        this.folder = folder;
        this.load = CProgram.compile(folder, "tunnelload");
    }

    /**
     * Program that relays.
     *
     * @param way of the load: {@code tunnel} or {@code direct}
     */
    record Through(ServerProcess process, int port, String way) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }

    Through gateway() {
        return gateway(folder, "postern", Map.of());
    }

    /** @param environment of the launcher, such as the options of its JVM */
    static Through gateway(RunFolder folder, String name, Map<String, String> environment) {
        int port = Ports.free();
        int admin = Ports.free();
        ServerProcess process =
                Postern.gateway(folder, name, Cores.MEASURED, GATEWAY.formatted(port, admin), admin, environment);
        return new Through(process, port, "tunnel");
    }

    /** Starts a relay of datagrams with one system call for each datagram and direction. */
    Through datagramRelay() {
        int port = Ports.free();
        List<String> command =
                List.of(CProgram.compile(folder, "udprelay").toString(), text(port), text(client), text(destination));
        return new Through(ServerProcess.start(folder, "udprelay", Cores.MEASURED, command), port, "direct");
    }

    /** @param option of its global section, or none */
    Through haproxy(String option) {
        int port = Ports.free();
        Path config = folder.write("haproxy.cfg", HAPROXY.formatted(option, port, destination));
        List<String> command = List.of("haproxy", "-db", "-f", config.toString());
        return new Through(ServerProcess.listening(folder, "haproxy", Cores.MEASURED, command, port), port, "direct");
    }

    /** Takes a turn: kind is {@code up}, {@code down}, {@code trip} or {@code stream}. */
    TunnelTurn turn(String kind, Through through, Duration length) {
        return TunnelTurn.parse(Command.output(Cores.LOAD.pin(List.of(
                load.toString(),
                kind,
                through.way,
                text(through.port),
                text(client),
                text(destination),
                String.format(Locale.ROOT, "%.3f", length.toMillis() / 1e3),
                text(through.process.pid())))));
    }

    private static String text(long number) {
        return String.valueOf(number);
    }
}
