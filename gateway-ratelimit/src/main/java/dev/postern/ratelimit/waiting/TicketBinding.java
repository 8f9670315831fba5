package dev.postern.ratelimit.waiting;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.transport.AddressPrefix;
import dev.postern.ratelimit.store.FairQueueSettings.Bind;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ticket binding: the room and, as configured, the client's network and its user agent. */
public final class TicketBinding {

    private static final int AGENT = 16;

    private TicketBinding() {}

    /** Returns bytes that are equal only for the same room and the same client. */
    public static byte[] of(String roomId, List<Bind> bind, InetAddress address, @Nullable String agent) {
        byte[] room = roomId.getBytes(UTF_8);
        byte[] network =
                bind.contains(Bind.ADDRESS) ? AddressPrefix.ofNetwork(address).bytes() : new byte[0];
        byte[] hash = bind.contains(Bind.AGENT) ? digest(agent == null ? "" : agent) : new byte[0];
        return ByteBuffer.allocate(4 + room.length + network.length + hash.length)
                .put((byte) 1)
                .put((byte) room.length)
                .put(room)
                .put((byte) network.length)
                .put(network)
                .put((byte) hash.length)
                .put(hash)
                .array();
    }

    private static byte[] digest(String agent) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(agent.getBytes(UTF_8)), AGENT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, which every Java platform must have", e);
        }
    }
}
