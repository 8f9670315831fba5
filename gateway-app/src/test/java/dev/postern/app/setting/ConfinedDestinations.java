package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.route.UdpTarget;
import dev.postern.core.testing.DestinationSpellings;
import dev.postern.core.testing.DnsReply;
import dev.postern.core.testing.FakeNameServer;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.UdpTunnelClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Program for a network namespace in which every address is on this machine: asks a gateway for tunnels to many spellings of destinations,
 * and prints one line for each, of words between tabs: group, form of the request, spelling, outcome, and connections that the gateway
 * opened as the kernel counts them. Services at all addresses count what reaches them; their sum is the last line of a group.
 */
final class ConfinedDestinations {

    /** Ports of the spellings, and of services that a wrong port would reach. */
    private static final List<Integer> TCP_PORTS = List.of(22, 80, 443, 8000);

    private static final List<Integer> UDP_PORTS = List.of(22, 53, 80, 443, 1900, 5353, 8000, 11_211);
    private static final String POLICY =
            "token: off, allow-ports: [443, \"8000-8999\"]," + " udp: {allow-ports: [443, \"1024-65535\"]}";
    private static final String ANYWHERE = "token: off, allow-ports: [\"1-65535\"], allow-private: [\"0.0.0.0/0\","
            + " \"::/0\"], udp: {allow-ports: [\"1-65535\"]}";

    /** Hosts that are this machine: loopback, any address, an interface's address, and names. */
    static final List<String> OWN = List.of(
            "127.0.0.1",
            "127.0.0.2",
            "127.255.255.254",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "0.0.0.0",
            "0",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "[::1]",
            "[::]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:2]",
            "[::FFFF:0:0]",
            "10.9.9.9",
            "[::ffff:10.9.9.9]",
            "[fd09::9]",
            "[FD09:0:0::0009]",
            "self.example",
            "SELF.example.",
            "self6.example");

    private static final String TEXT = "through";

    private final FakeNameServer names = new FakeNameServer();

    /** Whether bytes follow the request in a tunnel that opens: services return them, the gateway itself does not. */
    private boolean sends = true;

    private final AtomicInteger accepted = new AtomicInteger();
    private final BlockingQueue<String> datagrams = new LinkedBlockingQueue<>();

    /** Form of a request for a tunnel. */
    enum Form {
        CONNECT_1,
        CONNECT_2,
        UDP_1,
        UDP_2;

        boolean udp() {
            return this == UDP_1 || this == UDP_2;
        }
    }

    public static void main(String[] none) throws Exception {
        new ConfinedDestinations().run();
        System.exit(0);
    }

    private void run() throws Exception {
        DestinationSpellings.NAMES.forEach((name, addresses) -> {
            // Where there are no sockets it is an address that only the gateway has.
            serve(name, name.equals("gateway.example") ? List.of("10.9.9.9") : addresses);
        });
        serve("self.example", List.of("127.0.0.1"));
        serve("self6.example", List.of("::1"));
        for (int port : TCP_PORTS) {
            ServerSocket service = new ServerSocket(port, 256);
            daemon(() -> accept(service));
        }
        for (int port : UDP_PORTS) {
            DatagramSocket service = new DatagramSocket(port);
            daemon(() -> receive(service));
        }
        try (Site site = site(POLICY)) {
            for (Form form : Form.values()) {
                ask(
                        site,
                        "refused",
                        form,
                        form.udp() ? DestinationSpellings.REFUSED_UDP : DestinationSpellings.REFUSED);
            }
            System.out.println("services\trefused\t" + accepted + "\t" + datagrams.size());
            for (Form form : Form.values()) {
                ask(
                        site,
                        "allowed",
                        form,
                        form.udp() ? DestinationSpellings.ALLOWED_UDP : DestinationSpellings.ALLOWED);
            }
        }
        try (Site site = site(ANYWHERE)) {
            List<Integer> ports = List.of(
                    site.gateway().listener("out").getPort(),
                    site.gateway().listener("web").getPort(),
                    site.gateway().admin().getPort(),
                    site.gateway().probes().getPort());
            for (Form form : Form.values()) {
                sends = false;
                for (int port : ports) {
                    ask(
                            site,
                            "own",
                            form,
                            OWN.stream().map(host -> spelling(form, host, port)).toList());
                }
                sends = true;
                ask(site, "others", form, List.of(spelling(form, "127.0.0.1", 443), spelling(form, "[::1]", 443)));
            }
        }
    }

    private static String spelling(Form form, String host, int port) {
        String bare = host.replaceAll("[\\[\\]]", "").replace(":", "%3A");
        return form.udp() ? bare + "/" + port + "/" : host + ":" + port;
    }

    /** Opens a gateway whose reverse listener is at all addresses. */
    private Site site(String policy) {
        return Site.with(
                "listeners=[{name: web, address: \"[::]:0\"}, {name: out, address: \"127.0.0.1:0\", mode: forward, forward: default}]",
                "forward={default: {" + policy + "}}",
                "admin.probes-address=\"127.0.0.1:0\"",
                "transport.name-servers=[\"127.0.0.1:" + names.socket().getPort() + "\"]");
    }

    private void serve(String name, List<String> addresses) {
        names.respond("A " + name, records("A ", addresses, one -> !one.contains(":")));
        names.respond("AAAA " + name, records("AAAA ", addresses, one -> one.contains(":")));
    }

    private static DnsReply records(String type, List<String> addresses, Predicate<String> family) {
        return DnsReply.of(addresses.stream().filter(family).map(type::concat).toArray(String[]::new));
    }

    private interface Service {

        void run() throws IOException;
    }

    private static void daemon(Service service) {
        Thread thread = new Thread(() -> {
            try {
                service.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Counts connections and returns their bytes. */
    private void accept(ServerSocket service) throws IOException {
        while (true) {
            Socket socket = service.accept();
            accepted.incrementAndGet();
            daemon(() -> {
                try (socket) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                }
            });
        }
    }

    private void receive(DatagramSocket service) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        while (true) {
            service.receive(packet);
            datagrams.add(new String(packet.getData(), 0, packet.getLength(), ISO_8859_1));
        }
    }

    private void ask(Site site, String group, Form form, List<String> spellings) throws Exception {
        int port = site.gateway().listener("out").getPort();
        for (String spelling : spellings) {
            long before = connections();
            String outcome = outcome(port, form, spelling);
            System.out.println(String.join(
                    "\t", group, form.name(), spelling, outcome, Long.toString(connections() - before - 1)));
        }
    }

    private String outcome(int port, Form form, String spelling) throws Exception {
        return switch (form) {
            case CONNECT_1 -> connect(port, spelling);
            case UDP_1 -> connectUdp(port, UdpTarget.PREFIX + spelling);
            case CONNECT_2 -> stream(port, form, ":method", "CONNECT", ":authority", spelling);
            case UDP_2 -> stream(port, form, UdpTunnelClient.extendedConnect(UdpTarget.PREFIX + spelling));
        };
    }

    private String connect(int port, String spelling) {
        try (RawClient client = new RawClient(port)) {
            client.send("CONNECT " + spelling + " HTTP/1.1\r\nHost: " + spelling + "\r\n\r\n");
            int status = client.readConnect().status();
            return sends && status == 200 ? client.send(TEXT).readBytes(TEXT.length()) : Integer.toString(status);
        }
    }

    private String connectUdp(int port, String path) throws InterruptedException {
        try (UdpTunnelClient client = UdpTunnelClient.ask(port, path, "")) {
            return sends && client.status() == 101
                    ? arrived(() -> client.send(TEXT))
                    : Integer.toString(client.status());
        }
    }

    private String stream(int port, Form form, String... fields) throws InterruptedException {
        try (FrameClient client = FrameClient.connect(port)) {
            client.headers(1, false, fields);
            FrameClient.Response response = client.soFar(1);
            while (response.status().isEmpty() && response.reset().isEmpty()) {
                if (client.next() == null) {
                    return "closed";
                }
            }
            if (!sends || !response.status().equals("200")) {
                return response.status().isEmpty() ? response.reset() : response.status();
            }
            if (form.udp()) {
                byte[] capsule = UdpTunnelClient.capsule(TEXT.getBytes(ISO_8859_1));
                return arrived(() -> client.frame(FrameClient.DATA, 0, 1, capsule));
            }
            client.data(1, false, TEXT);
            while (response.length() < TEXT.length() && client.next() != null) {
                // until the text is back
            }
            return response.body();
        }
    }

    /** Sends a datagram and returns what arrives at a service. */
    private String arrived(Runnable send) throws InterruptedException {
        send.run();
        String text = datagrams.poll(20, TimeUnit.SECONDS);
        return text == null ? "a tunnel to nowhere" : text;
    }

    /** Returns the number of TCP connections that programs of the namespace have begun to open since its start. */
    private static long connections() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                .filter(line -> line.startsWith("Tcp:"))
                .toList();
        int column = List.of(lines.get(0).split(" ")).indexOf("ActiveOpens");
        return Long.parseLong(lines.get(1).split(" ")[column]);
    }
}
