package dev.postern.core.tls;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
     * @param server server name from the client, or null without one
     * @param keyType key type that the client accepts
     */
    int choose(@Nullable String server, String keyType) {
        String name = server == null ? "" : server.toLowerCase(Locale.ROOT);
        int dot = name.indexOf('.');
        String wildcard = dot > 0 ? "*" + name.substring(dot) : "";
        for (String wanted : new String[] {name, wildcard}) {
            if (!wanted.isEmpty() && offers.stream().anyMatch(o -> o.names().contains(wanted))) {
                return first(wanted, keyType);
            }
        }
        List<String> defaults = offers.get(0).names();
        for (int i = 0; i < offers.size(); i++) {
            boolean alike = i == 0 || Objects.equals(offers.get(i).names(), defaults);
            if (alike && offers.get(i).keyType().equals(keyType)) {
                return i;
            }
        }
        return NONE;
    }

    private int first(String name, String keyType) {
        for (int i = 0; i < offers.size(); i++) {
            Offer offer = offers.get(i);
            if (offer.names().contains(name) && offer.keyType().equals(keyType)) {
                return i;
            }
        }
        return NONE;
    }
}
