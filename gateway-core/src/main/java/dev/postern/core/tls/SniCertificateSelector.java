package dev.postern.core.tls;

import dev.postern.core.http.Authority;
import dev.postern.core.http.HttpParseException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * SNI certificate selector: chooses the certificate for the server name in the client's hello: a certificate with exactly that name,
 * otherwise one with {@code *.} for the first label, otherwise the first certificate. Certificates with the same names differ in key type;
 * the client's key types decide among them.
 */
final class SniCertificateSelector {

    static final int NONE = -1;

    private final List<Offer> offers;

    /** @param names in lower case */
    record Offer(List<String> names, String keyType) {}

    /** @param offers at least one, in the order of the configuration */
    SniCertificateSelector(List<Offer> offers) {
        this.offers = List.copyOf(offers);
    }

    /**
     * Returns the index of the certificate to present, or {@link #NONE} when the certificate for this name has another key type.
     *
     * @param server server name from the client, in any spelling, or null without one
     * @param keyType key type that the client accepts
     */
    int choose(@Nullable String server, String keyType) {
        return named(server).stream()
                .filter(index -> offers.get(index).keyType().equals(keyType))
                .findFirst()
                .orElse(NONE);
    }

    /** Returns the indices of the certificates for this name, at least one, in the order of the configuration. */
    List<Integer> named(@Nullable String server) {
        String name = server == null ? "" : normal(server);
        int dot = name.indexOf('.');
        String wildcard = dot > 0 ? "*" + name.substring(dot) : "";
        for (String wanted : new String[] {name, wildcard}) {
            List<Integer> matches = indices(offer -> offer.names().contains(wanted));
            if (!wanted.isEmpty() && !matches.isEmpty()) {
                return matches;
            }
        }
        List<String> defaults = offers.get(0).names();
        return indices(offer -> offer.names().equals(defaults));
    }

    /** Returns the name as routes are matched, without a port; empty for a text that is no host in any request. */
    private static String normal(String server) {
        try {
            String host = Authority.parse(server, true);
            return Authority.port(host) < 0 ? host : host.substring(0, host.lastIndexOf(':'));
        } catch (HttpParseException e) {
            return "";
        }
    }

    private List<Integer> indices(Predicate<Offer> condition) {
        return IntStream.range(0, offers.size())
                .filter(index -> condition.test(offers.get(index)))
                .boxed()
                .toList();
    }
}
