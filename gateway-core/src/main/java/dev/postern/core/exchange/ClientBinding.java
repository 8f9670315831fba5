package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.net.AddressPrefix;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

    /**
     * Family of a client's user agent: the names of the products in the field User-Agent (RFC 9110 section 10.1.5), without versions and
     * comments. A browser keeps its family when it is updated, when it sends the reduced form of the field, and when the user asks for the
     * desktop version of a page; client hints don't count, since most clients do not send them.
     */
    static final class AgentFamily {

        /** Products that one browser sends only for some of its pages. */
        private static final Set<String> CHANGING = Set.of("Mobile", "Version");

        private AgentFamily() {}

        /** Returns the names in their order, each once, separated by spaces; empty for a field that is absent or has no product. */
        static String of(@Nullable String agent) {
            if (agent == null) {
                return "";
            }
            Set<String> names = new LinkedHashSet<>();
            int depth = 0;
            int start = -1;
            for (int i = 0; i <= agent.length(); i++) {
                char c = i < agent.length() ? agent.charAt(i) : ' ';
                boolean inName = depth == 0 && c != ' ' && c != '\t' && c != '(';
                if (inName && start < 0) {
                    start = i;
                } else if (!inName && start >= 0) {
                    add(agent.substring(start, i), names);
                    start = -1;
                }
                if (c == '\\' && depth > 0) {
                    i++; // a quoted pair
                } else if (c == '(') {
                    depth++;
                } else if (c == ')' && depth > 0) {
                    depth--;
                }
            }
            return String.join(" ", names);
        }

        private static void add(String product, Set<String> names) {
            int slash = product.indexOf('/');
            int end = slash < 0 ? product.length() : slash;
            StringBuilder name = new StringBuilder(end);
            for (int i = 0; i < end; i++) {
                char c = product.charAt(i);
                if (c != '.' && c != '_' && (c < '0' || c > '9')) {
                    name.append(c);
                }
            }
            if (name.length() > 0 && !CHANGING.contains(name.toString())) {
                names.add(name.toString());
            }
        }
    }
}
