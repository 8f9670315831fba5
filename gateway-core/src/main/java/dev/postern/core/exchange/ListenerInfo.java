package dev.postern.core.exchange;

import dev.postern.core.http.FieldName;
import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Listener information: the settings of a listener that rules depend on.
 *
 * @param name name in the configuration
 * @param mode reverse proxy in front of a site, forward proxy for outgoing traffic, or decisions for another proxy
 * @param forward name of the forward policy; empty on a reverse listener
 * @param originName name of a forward listener in challenges and {@code Via}; empty for the default
 * @param trustedProxies addresses of proxies whose forwarded fields are believed
 * @param trustedFields fields of trusted proxies that are believed in addition to Forwarded and X-Forwarded-For, -Proto, -Host and -Port
 * @param forwarded the fields in which trusted proxies report their client
 * @param serverTiming whether responses carry {@code Server-Timing}
 * @param requestId rule for the ids of its exchanges, or null for none
 * @param networks define which client addresses are one client, and which are one network
 * @param addresses the clients that may use it, or null for all
 * @param questions how other proxies ask; null but in mode authorize
 */
public record ListenerInfo(
        String name,
        Mode mode,
        String forward,
        String originName,
        CidrSet trustedProxies,
        List<FieldName> trustedFields,
        Forwarded forwarded,
        boolean serverTiming,
        @Nullable RequestId requestId,
        ClientNetworks networks,
        @Nullable AddressRule addresses,
        @Nullable Questions questions) {

    public ListenerInfo {
        trustedFields = List.copyOf(trustedFields);
    }

    /** Creates a listener for all clients, without request ids, in a network without a translator of its own. */
    public ListenerInfo(
            String name,
            Mode mode,
            String forward,
            String originName,
            CidrSet trustedProxies,
            List<FieldName> trustedFields,
            Forwarded forwarded,
            boolean serverTiming) {
        this(
                name,
                mode,
                forward,
                originName,
                trustedProxies,
                trustedFields,
                forwarded,
                serverTiming,
                null,
                ClientNetworks.WELL_KNOWN,
                null,
                null);
    }

    /** Creates a listener whose trusted proxies may send no additional fields. */
    public ListenerInfo(
            String name, Mode mode, String forward, String originName, CidrSet trustedProxies, boolean serverTiming) {
        this(name, mode, forward, originName, trustedProxies, List.of(), Forwarded.AUTO, serverTiming);
    }

    /** Mode of a listener; determines 401 or 407 and the names of the credential fields. */
    public enum Mode {
        REVERSE,
        FORWARD,
        AUTHORIZE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Fields in which trusted proxies report their client. */
    public enum Forwarded {
        /** Forwarded and the X-Forwarded fields, which must not contradict each other. */
        AUTO,
        /** Forwarded alone (RFC 7239). */
        FORWARDED,
        /** X-Forwarded-For, -Proto, -Host and -Port alone. */
        X_FORWARDED
    }

    /**
     * Questions of other proxies.
     *
     * @param dialect how a question describes the request that it is about
     * @param pathPrefix what the proxy puts before the path, in dialect envoy; may be empty
     */
    public record Questions(Dialect dialect, String pathPrefix) {}

    /** How another proxy describes the request of its client, and relays refusals. */
    public enum Dialect {
        /** {@code auth_request}: X-Original-URL and X-Original-Method; of refusals it relays 401 and 403 alone. */
        NGINX,
        /** Forward auth of Traefik, Caddy and HAProxy: X-Forwarded-Method, -Proto, -Host and -Uri; relays refusals as they are. */
        FORWARDED,
        /** {@code ext_authz} over HTTP: method, Host and path of the question; drops fields and body of a 5xx. */
        ENVOY
    }

    /** Returns whether the client must not use the listener. */
    public boolean denies(InetAddress client) {
        return addresses != null && addresses.denies(client);
    }

    /** Returns whether the listener decides about requests for a site, not for a forward proxy; the listener itself or another proxy forwards them. */
    public boolean reverse() {
        return mode != Mode.FORWARD;
    }

    /** Returns whether the listener decides for another proxy, and forwards nothing. */
    public boolean authorizes() {
        return questions != null;
    }
}
