package dev.postern.core.testing;

import java.net.InetSocketAddress;
import java.util.stream.Stream;

/** Runs a name server (dnsmasq) that has only the given records. */
public final class DnsExtension extends ServerExtension {

    /** @param records arguments of dnsmasq, such as {@code --ptr-record=1.2.0.192.in-addr.arpa,name.example} */
    public DnsExtension(String... records) {
        super(process(ServerProcess.freePort(), records));
    }

    /** Creates a name server that is not started. */
    public static ServerProcess process(int port, String... records) {
        Stream<String> usual = Stream.of(
                "--keep-in-foreground",
                "--conf-file=/dev/null",
                "--pid-file=",
                "--user=nobody",
                "--no-resolv",
                "--no-hosts",
                "--bind-interfaces",
                "--listen-address=127.0.0.1",
                "--port={port}",
                "--local=/#/"); // unknown names do not exist
        return new ServerProcess(
                "dnsmasq", port, Stream.concat(usual, Stream.of(records)).toArray(String[]::new));
    }

    public InetSocketAddress socket() {
        return new InetSocketAddress("127.0.0.1", server().port());
    }
}
