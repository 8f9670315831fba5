package dev.postern.core.exchange;

import dev.postern.core.http.FieldName;
import dev.postern.core.transport.CidrSet;
import java.util.List;
import java.util.Locale;

/**
 * A place where clients connect, as far as rules ask for it.
 *
 * @param name as configured
 * @param mode reverse proxy in front of a site, or forward proxy on the way out
 * @param forward the name of the forward policy; empty on a reverse listener
 * @param originName how a forward listener calls itself in challenges and {@code Via}; empty for the default
 * @param trustedProxies whose forwarded fields are believed
 * @param trustedFields what trusted proxies may say of clients beyond Forwarded and X-Forwarded-For, -Proto, -Host and -Port
 * @param serverTiming whether clients are told where the time of their exchanges went
 */
public record ListenerInfo(
        String name,
        Mode mode,
        String forward,
        String originName,
        CidrSet trustedProxies,
        List<FieldName> trustedFields,
        boolean serverTiming) {

    public ListenerInfo {
        trustedFields = List.copyOf(trustedFields);
    }

    /** One whose trusted proxies may say no more than the usual. */
    public ListenerInfo(
            String name, Mode mode, String forward, String originName, CidrSet trustedProxies, boolean serverTiming) {
        this(name, mode, forward, originName, trustedProxies, List.of(), serverTiming);
    }

    /** What a listener is for; decides 401 or 407 and the names of the credential fields. */
    public enum Mode {
        REVERSE,
        FORWARD;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public boolean reverse() {
        return mode == Mode.REVERSE;
    }
}
