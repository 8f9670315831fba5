package dev.postern.core.testing;

import java.net.InetSocketAddress;
import java.util.stream.Stream;

/** A name server (dnsmasq) that knows only what it is told. */
public final class DnsExtension extends ServerExtension {

    /** @param records dnsmasq's own arguments, such as {@code --ptr-record=1.2.0.192.in-addr.arpa,name.example} */
    public DnsExtension(String... records) {
        super(process(ServerProcess.freePort(), records));
    }

    /** A name server that is not started yet. */
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
                "--local=/#/"); // what it doesn't know isn't there
        return new ServerProcess(
                "dnsmasq", port, Stream.concat(usual, Stream.of(records)).toArray(String[]::new));
    }

    public InetSocketAddress socket() {
        return new InetSocketAddress("127.0.0.1", server().port());
    }
}
