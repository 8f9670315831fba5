package dev.postern.auth.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.crypto.SealedBox;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HostCookie;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.Route;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cookies for sessions that a spent token buys, sealed with the key ring; the gateway stores no sessions.
 *
 * <p>A session contains version (1) | id (16) | end in milliseconds (8) and is bound to the host, the challenges of its route and, as
 * configured, properties of the client. The id is that of the token, so that a session opens as many tickets of a waiting room as its token
 * would have, and has one budget for all who present its cookie (docs/adr/0050). Thread-safe.
 */
public final class SessionCookies {

    private static final byte VERSION = 1;
    private static final int LENGTH = 1 + Credential.LENGTH + Long.BYTES;
    /** Characters of a sealed session: base64url of key tag, nonce, session and tag. */
    private static final int SEALED = ((1 + 12 + LENGTH + 16) * 8 + 5) / 6;

    /** Cookies that are read, and of these, cookies that are opened; those of other hosts with the same name may precede the gateway's. */
    private static final int MAX_READ = 64;

    private static final int MAX_OPENED = 8;

    private static final Duration SKEW = Duration.ofMinutes(1);

    private final SessionSettings settings;
    private final String namespace;
    private final HostCookie cookie;
    private final SealedBox box;
    private final InstantSource clock;

    /** @param namespace of the instance: gateways with another namespace reject these sessions */
    public SessionCookies(SessionSettings settings, String namespace, SealedBox box, InstantSource clock) {
        this.settings = settings;
        this.namespace = namespace;
        this.cookie = new HostCookie(settings.cookie());
        this.box = box;
        this.clock = clock;
    }

    /** Returns the credential of the exchange's cookie, or null; forged, foreign and expired cookies count as none. */
    public @Nullable Credential find(Exchange exchange) {
        byte @Nullable [] bound = null;
        int opened = 0;
        for (String sealed : cookie.values(exchange.request(), exchange.clientSecure(), MAX_READ)) {
            if (sealed.length() != SEALED || opened == MAX_OPENED) {
                continue;
            }
            opened++;
            if (bound == null) {
                bound = bound(exchange);
            }
            byte[] plain = box.open(sealed, bound);
            if (plain != null && plain.length == LENGTH && plain[0] == VERSION && valid(plain)) {
                return Credential.of(
                        Arrays.copyOfRange(plain, 1, 1 + Credential.LENGTH), new Credential.Session(settings.rate()));
            }
        }
        return null;
    }

    /** Removes the cookie from the request, valid or not: upstreams must not see it. */
    public void strip(RequestHead request) {
        cookie.remove(request);
    }

    /** Adds a new session to any response of the exchange, which must not be stored then. */
    public void sell(Exchange exchange, Credential credential) {
        long end = clock.millis() + settings.lifetime().toMillis();
        byte[] plain = ByteBuffer.allocate(LENGTH)
                .put(VERSION)
                .put(credential.id())
                .putLong(end)
                .array();
        exchange.addResponseField(Field.of(
                FieldName.SET_COOKIE,
                cookie.set(box.seal(plain, bound(exchange)), exchange.clientSecure(), settings.lifetime())));
        exchange.addResponseField(Field.of(FieldName.CACHE_CONTROL, "no-store"));
    }

    /**
     * Returns whether the session has not expired. A later end than the lifetime allows comes from a configuration with a longer lifetime
     * and is invalid.
     */
    private boolean valid(byte[] plain) {
        long end = ByteBuffer.wrap(plain).getLong(1 + Credential.LENGTH);
        long now = clock.millis();
        return now < end && end - now <= settings.lifetime().toMillis() + SKEW.toMillis();
    }

    private byte[] bound(Exchange exchange) {
        ChallengeRule rule = Route.of(exchange).challenge();
        String text = String.join(
                "\n",
                namespace,
                exchange.request().host(),
                String.join(",", rule.issuers()),
                rule.originInfo(),
                rule.context().name());
        byte[] client = ClientBinding.bytes(
                settings.bind(), exchange.networkPrefix(), exchange.request().value(FieldName.USER_AGENT));
        byte[] bytes = text.getBytes(UTF_8);
        byte[] bound = Arrays.copyOf(bytes, bytes.length + 1 + client.length);
        System.arraycopy(client, 0, bound, bytes.length + 1, client.length);
        return bound;
    }
}
