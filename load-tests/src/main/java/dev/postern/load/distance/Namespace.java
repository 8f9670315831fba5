package dev.postern.load.distance;

import dev.postern.load.measure.Command;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Network namespace with loopback and one end of a link, a TUN device; both are gone after the run, also when a signal ends it. Needs root.
 */
final class Namespace {
    private static final String PREFIX = "postern-";
    private static final String DEVICE = "link";

    private final String name;

    private Namespace(String name) {
        this.name = name;
    }

    /** @param end which end of the link, a word */
    static Namespace open(RunFolder run, String end, String address, String peer) {
        removeAbandoned();
        Namespace opened =
                new Namespace(PREFIX + end + "-" + ProcessHandle.current().pid());
        Command.output("ip netns add", opened.name);
        run.add(() -> delete(opened.name));
        opened.ip("link set dev lo up");
        opened.ip("tuntap add dev " + DEVICE + " mode tun");
        opened.ip("addr add " + address + " peer " + peer + " dev " + DEVICE);
        opened.ip("link set dev " + DEVICE + " up");
        // Otherwise TCP remembers the last distance in the next connection.
        Command.output(opened.command(List.of("sh", "-c", "echo 1 > /proc/sys/net/ipv4/tcp_no_metrics_save")));
        return opened;
    }

    String name() {
        return name;
    }

    /** Deletes the namespaces of benchmarks that were killed. */
    private static void removeAbandoned() {
        List<String> names = Command.output("ip netns list").lines().toList();
        for (String abandoned : abandoned(names, pid -> ProcessHandle.of(pid).isPresent())) {
            delete(abandoned);
        }
    }

    /**
     * Returns the names of namespaces whose benchmark runs no more.
     *
     * @param lines of {@code ip netns list}: a name, sometimes with a number behind it
     */
    static List<String> abandoned(List<String> lines, LongPredicate running) {
        List<String> all = new ArrayList<>();
        for (String line : lines) {
            String found = line.split(" ", 2)[0];
            String pid = found.substring(found.lastIndexOf('-') + 1);
            if (found.matches(PREFIX + "[a-z]+-\\d{1,9}") && !running.test(Long.parseLong(pid))) {
                all.add(found);
            }
        }
        return all;
    }

    private void ip(String words) {
        Command.output("ip -n " + name + " " + words);
    }

    /** Returns the command, run in this namespace. */
    List<String> command(List<String> words) {
        return Command.of("ip netns exec " + name, words.toArray());
    }

    private static void delete(String name) {
        Command.output("ip netns delete", name);
    }
}
