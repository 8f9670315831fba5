package dev.postern.core.testing;

import java.net.InetSocketAddress;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A name server (dnsmasq) of its own for a test class, which knows only what it is told. Register it as a static field. */
public final class DnsExtension implements BeforeAllCallback, AfterAllCallback {

    private final ServerProcess server;

    /** @param records dnsmasq's own arguments, such as {@code --ptr-record=1.2.0.192.in-addr.arpa,name.example} */
    public DnsExtension(String... records) {
        server = process(ServerProcess.freePort(), records);
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

    @Override
    public void beforeAll(ExtensionContext context) {
        server.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
    }

    public ServerProcess server() {
        return server;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", server.port());
    }
}
