package dev.postern.core.tls;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which certificate a client gets that names a server: the one with exactly that name, else one with {@code *.} for its first label, else
 * the first. Several with the same names differ in their kind of key, of which clients choose one.
 */
final class SniCertificateSelector {

    static final int NONE = -1;

    private final List<Offer> offers;

    /** @param names in small letters */
    record Offer(List<String> names, String keyType) {}

    /** @param offers at least one, in the order of the configuration */
    SniCertificateSelector(List<Offer> offers) {
        this.offers = List.copyOf(offers);
    }

    /**
     * The index of the certificate to show, or {@link #NONE} when that client can't be shown the one it should get.
     *
     * @param server as the client names it, or null when it names none
     * @param keyType the kind of key that the client takes
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
