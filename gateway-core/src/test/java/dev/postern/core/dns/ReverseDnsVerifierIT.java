package dev.postern.core.dns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.dns.AddressOwnerLookup.Response;
import dev.postern.core.testing.DnsExtension;
import dev.postern.core.transport.Transport;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the verifier against a correct name server, forged PTR records, and a server that does not respond. */
class ReverseDnsVerifierIT {

    @RegisterExtension
    static final DnsExtension DNS = new DnsExtension(
            "--host-record=crawl-9.search.example,203.0.113.9,2001:db8::9", // with its PTR records
            "--ptr-record=66.113.0.203.in-addr.arpa,crawl-9.search.example",
            "--host-record=evil-search.example,203.0.113.67",
            "--host-record=search.example.evil.example,203.0.113.68",
            "--host-record=search.example,203.0.113.69",
            "--ptr-record=70.113.0.203.in-addr.arpa,gone.search.example",
            "--host-record=Crawl-10.Search.Example,203.0.113.10",
            "--ptr-record=71.113.0.203.in-addr.arpa,crawl-9.search.example",
            "--ptr-record=71.113.0.203.in-addr.arpa,other.search.example",
            "--address=/other.search.example/203.0.113.71");

    private static final List<String> DOMAINS = List.of("unused.example", "search.example");

    private final Transport transport = Transport.open(Transport.Kind.AUTO);
    private final EventLoopGroup loops = transport.eventLoops(1);
    private final ReverseDnsVerifier verifier = new ReverseDnsVerifier(
            new NameServers(transport, new SingletonDnsServerAddressStreamProvider(DNS.socket())));

    @AfterEach
    void close() {
        verifier.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private Response ask(String address) throws UnknownHostException {
        EventLoop loop = loops.next();
        CompletableFuture<Response> future = new CompletableFuture<>();
        InetAddress parsed = InetAddress.getByName(address);
        loop.execute(() -> verifier.ask(loop, parsed, DOMAINS, response -> {
            assertThat(future.isDone()).as("called before").isFalse();
            assertThat(loop.inEventLoop()).as("on the event loop").isTrue();
            future.complete(response);
        }));
        return future.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.9, YES, leads there and back",
        "2001:db8::9, YES, the other kind of address of the same host",
        "203.0.113.10, YES, in other letters",
        "203.0.113.69, YES, the domain itself",
        "203.0.113.71, YES, by the second of its names",
        "203.0.113.66, NO, names itself after another",
        "203.0.113.67, NO, the domain is only the end of a longer word",
        "203.0.113.68, NO, the domain is not the end",
        "203.0.113.70, NO, the name leads nowhere",
        "203.0.113.72, NO, has no name",
    })
    void acceptsNamesThatResolveToTheAddress(String address, Response response, String reason)
            throws UnknownHostException {
        assertThat(ask(address)).as(reason).isEqualTo(response);
    }

    @Test
    @Tag("faults")
    void isUnknownWithoutAResponse() throws UnknownHostException {
        DNS.server().freeze();
        assertThat(ask("203.0.113.9")).isEqualTo(Response.UNKNOWN);
        DNS.server().kill();
        assertThat(ask("203.0.113.9")).isEqualTo(Response.UNKNOWN);
        DNS.server().start();
        assertThat(ask("203.0.113.9")).isEqualTo(Response.YES);
    }
}
