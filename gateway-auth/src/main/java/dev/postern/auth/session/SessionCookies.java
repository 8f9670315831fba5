package dev.postern.auth.session;

import dev.postern.core.crypto.SealedBox;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HostCookie;
import dev.postern.core.http.RequestHead;
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
    private final OpenedSessions lately = new OpenedSessions();

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
        @Nullable SessionBinding binding = null;
        int opened = 0;
        for (String sealed : cookie.values(exchange.request(), exchange.clientSecure(), MAX_READ)) {
            if (sealed.length() != SEALED || opened == MAX_OPENED) {
                continue;
            }
            opened++;
            if (binding == null) {
                binding = SessionBinding.of(exchange, settings.bind());
            }
            byte[] plain = open(sealed, binding);
            if (plain != null && valid(plain)) {
                return Credential.of(
                        Arrays.copyOfRange(plain, 1, 1 + Credential.LENGTH), new Credential.Session(settings.rate()));
            }
        }
        return null;
    }

    private byte @Nullable [] open(String sealed, SessionBinding binding) {
        byte[] known = lately.find(sealed, binding);
        if (known != null) {
            return known;
        }
        byte[] plain = box.open(sealed, binding.bytes(namespace));
        if (plain == null || plain.length != LENGTH || plain[0] != VERSION) {
            return null;
        }
        lately.add(sealed, binding, plain);
        return plain;
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
        byte[] bound = SessionBinding.of(exchange, settings.bind()).bytes(namespace);
        exchange.addResponseField(Field.of(
                FieldName.SET_COOKIE,
                cookie.set(box.seal(plain, bound), exchange.clientSecure(), settings.lifetime())));
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
}
