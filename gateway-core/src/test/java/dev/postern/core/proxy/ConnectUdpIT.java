package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.UdpOrigin;
import dev.postern.core.testing.UdpTunnelClient;
import dev.postern.core.testing.UdpTunnelClient.Version;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests UDP tunnels over HTTP/1.1 and HTTP/2 with real sockets (RFC 9298). */
@ExtendWith(LeakExtension.class)
class ConnectUdpIT {

    private static final String FORWARDED = "forwarded";

    private final UdpOrigin origin = new UdpOrigin();
    private CoreGateway gateway = new CoreGateway(Setup.of("127.0.0.1:1"));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private UdpTunnelClient open(Version version) {
        return version.open(gateway.forwardPort(), origin.path());
    }

    private double datagrams(String direction, String outcome) {
        return gateway.count("postern.tunnel.datagrams", "direction", direction, "outcome", outcome);
    }

    private void awaitClosed() {
        await().until(() -> gateway.gauge("postern.tunnels", "kind", "connect-udp") == 0);
    }

    @ParameterizedTest
    @EnumSource
    void relaysDatagramsBothWays(Version version) {
        try (UdpTunnelClient client = open(version)) {
            assertThat(client.field("Capsule-Protocol")).isEqualTo("?1");
            assertThat(client.field("Upgrade")).isEqualTo(version == Version.HTTP_1 ? "connect-udp" : "");
            assertThat(client.field("Content-Length") + client.field("Transfer-Encoding"))
                    .isEmpty();
            client.send("ping");
            assertThat(origin.receive()).asString().isEqualTo("ping");
            assertThat(gateway.gauge("postern.tunnels", "kind", "connect-udp")).isEqualTo(1);
            origin.reply("pong".getBytes(ISO_8859_1));
            assertThat(client.receiveText()).isEqualTo("pong");
        }
        awaitClosed();
        assertThat(datagrams("to-destination", FORWARDED)).isEqualTo(1);
        assertThat(datagrams("to-client", FORWARDED)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheBordersOfDatagramsOfEverySize(Version version) {
        try (UdpTunnelClient client = open(version)) {
            SplittableRandom random = new SplittableRandom(9298);
            for (int size : List.of(0, 1, 62, 63, 1_200, 16_382, 16_383, 30_000, 65_507, 0, 5)) {
                byte[] payload = new byte[size];
                random.nextBytes(payload);
                client.send(payload);
                assertThat(origin.receive()).isEqualTo(payload);
                origin.reply(payload);
                assertThat(client.receive()).isEqualTo(payload);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheOrderOfEachDirection(Version version) {
        try (UdpTunnelClient client = open(version)) {
            for (int i = 0; i < 200; i++) {
                client.send("out " + i);
            }
            for (int i = 0; i < 200; i++) {
                assertThat(origin.receive()).asString().isEqualTo("out " + i);
            }
            for (int i = 0; i < 200; i++) {
                origin.reply(("in " + i).getBytes(ISO_8859_1));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(client.receiveText()).isEqualTo("in " + i);
            }
        }
    }

    /** Datagrams of equal length leave as segments of one buffer, which the kernel cuts. */
    @ParameterizedTest
    @EnumSource
    void keepsTheBordersOfDatagramsThatComeAtOnce(Version version) {
        List<byte[]> payloads = new ArrayList<>();
        for (int size : List.of(3, 1, 1_200, 1_452, 1_453, 100, 0)) {
            for (int i = 0; i < 20; i++) {
                byte[] payload = new byte[i % 10 == 9 ? size / 2 : size];
                Arrays.fill(payload, (byte) payloads.size());
                payloads.add(payload);
            }
        }
        try (UdpTunnelClient client = open(version)) {
            for (int begin = 0; begin < payloads.size(); begin += 20) {
                List<byte[]> some = payloads.subList(begin, begin + 20);
                ByteArrayOutputStream capsules = new ByteArrayOutputStream();
                some.forEach(payload -> capsules.writeBytes(UdpTunnelClient.capsule(payload)));
                client.bytes(capsules.toByteArray());
                for (byte[] payload : some) {
                    assertThat(origin.receive()).isEqualTo(payload);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsDatagramsSentBeforeTheResponse(Version version) {
        byte[] early = UdpTunnelClient.capsule("early".getBytes(ISO_8859_1));
        if (version == Version.HTTP_1) {
            try (RawClient client = new RawClient(gateway.forwardPort())) {
                client.send("GET " + origin.path() + " HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\n"
                        + "Upgrade: connect-udp\r\n\r\n" + new String(early, ISO_8859_1));
                assertThat(origin.receive()).asString().isEqualTo("early");
            }
        } else {
            try (FrameClient client = FrameClient.connect(gateway.forwardPort())) {
                client.headers(1, false, UdpTunnelClient.extendedConnect(origin.path()))
                        .frame(FrameClient.DATA, 0, 1, early);
                assertThat(origin.receive()).asString().isEqualTo("early");
            }
        }
    }

    @Test
    void sendsDatagramsThatComeWithTheEndOfTheStream() {
        byte[] last = UdpTunnelClient.capsule("last".getBytes(ISO_8859_1));
        try (FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            client.headers(1, false, UdpTunnelClient.extendedConnect(origin.path()))
                    .frame(FrameClient.DATA, FrameClient.END_STREAM, 1, last);
            assertThat(origin.receive()).asString().isEqualTo("last");
        }
    }

    @ParameterizedTest
    @EnumSource
    void dropsRepliesFromAnotherPort(Version version) {
        try (UdpTunnelClient client = open(version)) {
            client.send("ping");
            origin.receive();
            origin.replyFromAnotherPort("forged".getBytes(ISO_8859_1));
            origin.reply("pong".getBytes(ISO_8859_1));
            assertThat(client.receiveText()).isEqualTo("pong");
        }
    }

    @ParameterizedTest
    @EnumSource
    void skipsUnknownCapsulesAndContexts(Version version) {
        try (UdpTunnelClient client = open(version)) {
            client.hex("17 03 616263 00 03 02 6162 7f21 00").send("known");
            assertThat(origin.receive()).asString().isEqualTo("known");
        }
        assertThat(datagrams("to-destination", "unknown-context")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1, 00 00, END",
        "HTTP_2, 00 00, PROTOCOL_ERROR",
        "HTTP_1, 00 8000fff9 00, END",
        "HTTP_2, 00 8000fff9 00, PROTOCOL_ERROR",
        "HTTP_2, 00 ffffffffffffffff 00, PROTOCOL_ERROR",
    })
    void abortsAfterMalformedDatagrams(Version version, String bytes, String end) {
        try (UdpTunnelClient client = open(version)) {
            client.hex(bytes);
            assertThat(client.end()).isEqualTo(end);
            awaitClosed();
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, '', END", "HTTP_2, '', END", "HTTP_1, 0005, END", "HTTP_2, 0005, PROTOCOL_ERROR"})
    void endsWithTheClientsStream(Version version, String last, String end) {
        try (UdpTunnelClient client = open(version)) {
            client.send("one");
            origin.receive();
            client.hex(last).finish();
            assertThat(client.end()).isEqualTo(end);
            awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesTheSocketWhenTheClientVanishes(Version version) {
        UdpTunnelClient client = open(version);
        client.send("one");
        origin.receive();
        client.vanish();
        awaitClosed();
    }

    @ParameterizedTest
    @EnumSource
    void endsWhenNothingListens(Version version) {
        try (UdpTunnelClient client = open(version)) {
            origin.close();
            client.send("ping");
            assertThat(client.end()).isEqualTo("END");
            awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void dropsTheOldestDatagramsOfASlowClient(Version version) {
        try (UdpTunnelClient client = open(version)) {
            client.send("start");
            origin.receive();
            byte[] payload = new byte[8_000];
            int sent = 0;
            // As many as all buffers between here and the client take, and then some.
            while (datagrams("to-client", "dropped") < 100) {
                payload[0] = (byte) (sent >> 16);
                payload[1] = (byte) (sent >> 8);
                payload[2] = (byte) sent;
                origin.reply(payload);
                sent++;
            }
            await().until(() -> datagrams("to-client", "dropped") + datagrams("to-client", FORWARDED) > 0);
            int previous = -1;
            for (int received = 0; received < datagrams("to-client", FORWARDED); received++) {
                byte[] datagram = client.receive();
                int number = (datagram[0] & 0xff) << 16 | (datagram[1] & 0xff) << 8 | datagram[2] & 0xff;
                assertThat(number).isGreaterThan(previous);
                previous = number;
            }
            assertThat(sent).isGreaterThan((int) datagrams("to-client", FORWARDED));
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesForbiddenDestinationsWithTheErrorOfTheProxy(Version version) {
        gateway.close();
        gateway = new CoreGateway(Setup.of("127.0.0.1:1")
                .forward(List.of("1-65535"), List.of())
                .udp(Setup.udp(List.of("443", "1024-65535"), Duration.ofMinutes(2))));
        for (String target : List.of("192.0.2.1/444", "127.0.0.1/443")) {
            try (UdpTunnelClient client =
                    version.ask(gateway.forwardPort(), "/.well-known/masque/udp/" + target + "/")) {
                assertThat(client.status()).as(target).isEqualTo(403);
                assertThat(client.body()).contains("destination-forbidden");
                assertThat(client.field("Proxy-Status")).isEqualTo("postern; error=destination_ip_prohibited");
            }
        }
    }

    @Test
    void readsTheNameOfTheProtocolInAnyCase() {
        try (RawClient client = new RawClient(gateway.forwardPort())) {
            client.send("GET " + origin.path() + " HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: CONNECT-UDP\r\n"
                    + "Capsule-Protocol: 1\r\nHost: h\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(101);
        }
    }

    @Test
    void forwardsAnAbsoluteFormWithTheSamePathToItsHost() {
        try (RawClient client = new RawClient(gateway.forwardPort())) {
            client.send("GET http://127.0.0.1:1" + origin.path() + " HTTP/1.1\r\nHost: 127.0.0.1:1\r\n"
                    + "Connection: upgrade\r\nUpgrade: connect-udp\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(502);
        }
    }
}
