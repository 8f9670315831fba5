package dev.postern.core.exchange;

import dev.postern.core.http.FieldName;
import dev.postern.core.transport.CidrSet;
import java.util.List;
import java.util.Locale;

/**
 * Listener information: the settings of a listener that rules depend on.
 *
 * @param name name in the configuration
 * @param mode reverse proxy in front of a site, or forward proxy for outgoing traffic
 * @param forward name of the forward policy; empty on a reverse listener
 * @param originName name of a forward listener in challenges and {@code Via}; empty for the default
 * @param trustedProxies addresses of proxies whose forwarded fields are believed
 * @param trustedFields fields of trusted proxies that are believed in addition to Forwarded and X-Forwarded-For, -Proto, -Host and -Port
 * @param serverTiming whether responses carry {@code Server-Timing}
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

    /** Creates a listener whose trusted proxies may send no additional fields. */
    public ListenerInfo(
            String name, Mode mode, String forward, String originName, CidrSet trustedProxies, boolean serverTiming) {
        this(name, mode, forward, originName, trustedProxies, List.of(), serverTiming);
    }

    /** Mode of a listener; determines 401 or 407 and the names of the credential fields. */
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
