package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.DnsExtension;
import dev.postern.core.testing.DnsReply;
import dev.postern.core.testing.FakeNameServer;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests endpoints whose addresses a name server knows. */
class EndpointSettingsIT {

    private static final String ONE_LOOP = "transport.event-loops=1";

    private final TestOrigin one = new TestOrigin();
    private final TestOrigin other = new TestOrigin();

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @Test
    void namesAreResolvedAgain() {
        int port = ServerProcess.freePort();
        try (TestOrigin first = new TestOrigin("127.0.0.1", port);
                TestOrigin second = new TestOrigin("127.0.0.2", port);
                TestOrigin third = new TestOrigin("127.0.0.3", port);
                ServerProcess names = names(ServerProcess.freePort(), "127.0.0.1", "127.0.0.2")) {
            names.start();
            try (Site site = Site.with(
                    ONE_LOOP,
                    "transport.name-servers=[\"" + names.address() + "\"]",
                    "upstreams.app.balance=round-robin",
                    "upstreams.app.endpoints=[\"dns:app.example:" + port + "\"]")) {
                Awaitility.await()
                        .until(() -> site.get("/").status() == 200
                                && !first.received().isEmpty()
                                && !second.received().isEmpty());
                names.kill();
                assertThat(site.get("/").status())
                        .as("known addresses are kept")
                        .isEqualTo(200);
                try (ServerProcess restarted = names(names.port(), "127.0.0.3")) {
                    restarted.start();
                    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                        int count = third.received().size();
                        site.get("/");
                        site.get("/");
                        return third.received().size() == count + 2;
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dns:app.example", "app.example"})
    void truncatedResponsesAreRepeatedOverTcp(String endpoint) throws IOException {
        int port = ServerProcess.freePort();
        try (TestOrigin origin = new TestOrigin("127.0.0.2", port);
                FakeNameServer names = new FakeNameServer()) {
            names.respond("A app.example", DnsReply.of().cut())
                    .respond("tcp A app.example", DnsReply.of("A 127.0.0.2"));
            try (Site site = Site.with(
                    ONE_LOOP,
                    "transport.name-servers=[\"127.0.0.1:" + names.socket().getPort() + "\"]",
                    "upstreams.app.endpoints=[\"" + endpoint + ":" + port + "\"]")) {
                Awaitility.await().until(() -> site.get("/").status() == 200);
                assertThat(origin.received()).isNotEmpty();
                assertThat(names.questions()).contains("tcp A app.example");
            }
        }
    }

    @Test
    void aTruncatedResponseWithSomeAddressesIsNotTakenForAll() throws IOException {
        int port = ServerProcess.freePort();
        try (TestOrigin first = new TestOrigin("127.0.0.1", port);
                TestOrigin second = new TestOrigin("127.0.0.2", port);
                FakeNameServer names = new FakeNameServer()) {
            names.respond("A app.example", DnsReply.of("A 127.0.0.1").cut())
                    .respond("tcp A app.example", DnsReply.of("A 127.0.0.1", "A 127.0.0.2"));
            try (Site site = withNames(names, port)) {
                Awaitility.await()
                        .until(() -> site.get("/").status() == 200
                                && !first.received().isEmpty()
                                && !second.received().isEmpty());
            }
        }
    }

    @Test
    void aTruncatedResponseThatCannotBeRepeatedIsBetterThanNone() throws IOException {
        int port = ServerProcess.freePort();
        try (TestOrigin first = new TestOrigin("127.0.0.1", port);
                FakeNameServer names = new FakeNameServer().withoutTcp()) {
            names.respond("A app.example", DnsReply.of("A 127.0.0.1").cut());
            try (Site site = withNames(names, port)) {
                Awaitility.await().until(() -> site.get("/").status() == 200);
                assertThat(first.received()).isNotEmpty();
            }
        }
    }

    private static Site withNames(FakeNameServer names, int port) {
        return Site.with(
                ONE_LOOP,
                "transport.name-servers=[\"127.0.0.1:" + names.socket().getPort() + "\"]",
                "upstreams.app.balance=round-robin",
                "upstreams.app.endpoints=[\"dns:app.example:" + port + "\"]");
    }

    private static ServerProcess names(int port, String... addresses) {
        return DnsExtension.process(
                port,
                Stream.of(addresses)
                        .map(address -> "--host-record=app.example," + address)
                        .toArray(String[]::new));
    }
}
