package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HostCookie;
import java.util.HexFormat;

/**
 * Cookie with the point of a client in an {@link UpstreamSplit}: four hexadecimal digits, in clear text. A client that chooses its point gains
 * nothing: each of the upstreams serves clients with the same requirements. The digits are too few to recognise one client.
 */
public final class SplitCookie {

    private static final int POINTS = 0x10000;
    private static final int DIGITS = 4;

    /** Cookies that are read; one that another host set may precede the gateway's. */
    private static final int MAX_READ = 8;

    private final HostCookie cookie;

    /** @param name of the cookie, without the prefix that it has with TLS */
    public SplitCookie(String name) {
        this.cookie = new HostCookie(name);
    }

    /** Returns the point of the client's cookie; without a valid one, the point that {@link #keep} would write. */
    double point(Exchange exchange, double byAddress) {
        int brought = read(exchange);
        return middle(brought < 0 ? index(byAddress) : brought);
    }

    /** Adds the cookie to the response, unless the client brought one. Such a response must not be stored. */
    void keep(Exchange exchange, double byAddress) {
        if (read(exchange) < 0) {
            String value = HexFormat.of().toHexDigits((short) index(byAddress));
            exchange.addResponseField(Field.of(FieldName.SET_COOKIE, cookie.set(value, exchange.clientSecure(), null)));
            exchange.addResponseField(Field.of(FieldName.CACHE_CONTROL, "no-store"));
        }
    }

    /** Returns the number in the first valid cookie, or -1. */
    private int read(Exchange exchange) {
        for (String value : cookie.values(exchange.request(), exchange.clientSecure(), MAX_READ)) {
            if (value.length() == DIGITS && value.chars().allMatch(HexFormat::isHexDigit)) {
                return HexFormat.fromHexDigits(value);
            }
        }
        return -1;
    }

    private static int index(double point) {
        return (int) (point * POINTS);
    }

    private static double middle(int index) {
        return (index + 0.5) / POINTS;
    }
}
