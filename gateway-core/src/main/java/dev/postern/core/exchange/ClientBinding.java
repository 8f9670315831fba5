package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.net.AddressPrefix;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Client binding: a property of a client to which a sealed cookie is bound, so that other clients cannot use the cookie. */
public enum ClientBinding {
    /** The first 24 bits of an IPv4 address, or 56 bits of an IPv6 address. */
    ADDRESS,
    /** The family of the user agent: the names of its products. */
    AGENT;

    /**
     * Returns bytes that are equal only for clients that are equal in the properties.
     *
     * @param prefix network of the client, as {@link Exchange#networkPrefix} returns it
     */
    public static byte[] bytes(List<ClientBinding> properties, AddressPrefix prefix, @Nullable String agent) {
        byte[] network = properties.contains(ADDRESS) ? prefix.bytes() : new byte[0];
        byte[] family = properties.contains(AGENT) ? AgentFamily.of(agent).getBytes(UTF_8) : new byte[0];
        return ByteBuffer.allocate(1 + network.length + family.length)
                .put((byte) network.length)
                .put(network)
                .put(family)
                .array();
    }
}
