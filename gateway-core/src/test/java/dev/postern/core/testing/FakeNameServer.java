package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Name server on loopback, UDP and TCP at one port, that responds as the test says: several times, never, or with lies. A question that it
 * does not know has an empty response; each query is recorded.
 */
public final class FakeNameServer implements AutoCloseable {

    private static final Map<String, Integer> TYPES = Map.of("A", 1, "CNAME", 5, "AAAA", 28);

    private final DatagramSocket udp;
    private final DatagramSocket elsewhere;
    private final ServerSocket tcp;
    private final Map<String, Deque<List<DnsReply>>> replies = new ConcurrentHashMap<>();
    private final List<Query> queries = new CopyOnWriteArrayList<>();

    /** Query as received. */
    public record Query(int id, String name, int type, boolean tcp, int port) {

        /** Returns such as {@code "A name.example"}; with {@code "tcp "} in front if it came over TCP. */
        public String question() {
            String word = TYPES.entrySet().stream()
                    .filter(one -> one.getValue() == type)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse("TYPE" + type);
            return (tcp ? "tcp " : "") + word + " " + name;
        }
    }

    public FakeNameServer() {
        try {
            LoopbackPort port = LoopbackPort.open();
            tcp = port.tcp();
            udp = port.udp();
            elsewhere = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen", e);
        }
        daemon(this::serveUdp);
        daemon(this::serveTcp);
    }

    public InetSocketAddress socket() {
        return new InetSocketAddress(tcp.getInetAddress(), tcp.getLocalPort());
    }

    /**
     * Responds to the question with all these in turn; to the next such question as the next call says, after the last one always the same.
     *
     * @param question as in {@link Query#question()}
     * @param each none for silence
     */
    public FakeNameServer respond(String question, DnsReply... each) {
        replies.computeIfAbsent(question, any -> new ArrayDeque<>()).add(List.of(each));
        return this;
    }

    public List<Query> queries() {
        return queries;
    }

    /** Returns the questions received so far, in their order. */
    public List<String> questions() {
        return queries.stream().map(Query::question).toList();
    }

    /** Stops listening for TCP; UDP is served further. */
    public FakeNameServer withoutTcp() throws IOException {
        tcp.close();
        return this;
    }

    @Override
    public void close() throws IOException {
        udp.close();
        elsewhere.close();
        tcp.close();
    }

    /** Returns the number of a record type. */
    static int type(String word) {
        return TYPES.getOrDefault(word, 0);
    }

    private List<DnsReply> replies(Query query) {
        queries.add(query);
        Deque<List<DnsReply>> known = replies.get(query.question());
        if (known == null) {
            return List.of(DnsReply.of());
        }
        synchronized (known) {
            return known.size() > 1 ? known.remove() : known.element();
        }
    }

    private void serveUdp() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        while (true) {
            udp.receive(packet);
            SocketAddress client = packet.getSocketAddress();
            Query query = query(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()), false, packet.getPort());
            for (DnsReply reply : replies(query)) {
                byte[] bytes = reply.message(query);
                (reply.elsewhere() ? elsewhere : udp).send(new DatagramPacket(bytes, bytes.length, client));
            }
        }
    }

    private void serveTcp() throws IOException {
        while (true) {
            Socket socket = tcp.accept();
            daemon(() -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            while (true) {
                byte[] message = in.readNBytes(in.readUnsignedShort());
                Query query = query(ByteBuffer.wrap(message), true, socket.getPort());
                for (DnsReply reply : replies(query)) {
                    byte[] bytes = reply.message(query);
                    out.writeShort(bytes.length);
                    out.write(bytes);
                }
            }
        }
    }

    private static Query query(ByteBuffer message, boolean tcp, int port) {
        int id = message.getShort();
        message.position(12);
        StringBuilder name = new StringBuilder();
        for (int length = message.get(); length > 0; length = message.get()) {
            byte[] label = new byte[length];
            message.get(label);
            name.append(name.isEmpty() ? "" : ".").append(new String(label, US_ASCII));
        }
        return new Query(id, name.toString().toLowerCase(Locale.ROOT), message.getShort(), tcp, port);
    }

    private static void daemon(Server server) {
        Thread thread = new Thread(
                () -> {
                    try {
                        server.run();
                    } catch (IOException e) {
                        // closed by the test or the client
                    }
                },
                "fake-name-server");
        thread.setDaemon(true);
        thread.start();
    }

    private interface Server {
        void run() throws IOException;
    }
}
