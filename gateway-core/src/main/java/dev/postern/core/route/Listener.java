package dev.postern.core.route;

import java.util.Locale;

/**
 * A place where clients connect, as far as rules ask for it.
 *
 * @param name as configured
 * @param mode reverse proxy in front of a site, or forward proxy on the way out
 * @param forward the name of the forward policy; empty on a reverse listener
 * @param originName how a forward listener calls itself in challenges and {@code Via}; empty for the default
 * @param trustedProxies whose forwarded fields are believed
 * @param serverTiming whether clients are told where the time of their exchanges went
 */
public record Listener(
        String name, Mode mode, String forward, String originName, Cidrs trustedProxies, boolean serverTiming) {

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
