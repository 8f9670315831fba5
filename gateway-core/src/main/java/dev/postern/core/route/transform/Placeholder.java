package dev.postern.core.route.transform;

import dev.postern.core.exchange.ClientCertificate;
import dev.postern.core.exchange.Exchange;
import io.netty.util.NetUtil;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Placeholder of a {@link Template} for a value of the exchange. None of the values can hold a control character: each was parsed strictly
 * before.
 */
enum Placeholder {
    /** The client's address, as trusted proxies name it. */
    CLIENT_ADDRESS(exchange -> NetUtil.toAddressString(exchange.clientAddress())),
    /** The requested host, without its port. */
    HOST(exchange -> exchange.request().host()),
    /** The scheme, {@code http} or {@code https}, as trusted proxies name it. */
    SCHEME(Exchange::clientScheme),
    /** The requested path, normalised, before any rewrite. */
    PATH(exchange -> exchange.request().path()),
    /** The query with its {@code ?}, or empty. */
    QUERY(exchange -> exchange.request().query()),
    /** The id of the exchange; empty on a listener without ids. */
    REQUEST_ID(Exchange::requestIdText),
    /** The subject of the certificate that the TLS peer presented; empty without one. */
    CLIENT_CERT_SUBJECT(exchange -> certificate(exchange, ClientCertificate::subject)),
    /** The SHA-256 fingerprint of this certificate; empty without one. */
    CLIENT_CERT_FINGERPRINT(exchange -> certificate(exchange, ClientCertificate::fingerprint));

    private final String word = name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    private final Function<Exchange, String> value;

    Placeholder(Function<Exchange, String> value) {
        this.value = value;
    }

    private static String certificate(Exchange exchange, Function<ClientCertificate, String> part) {
        ClientCertificate certificate = exchange.client().certificate();
        return certificate == null ? "" : part.apply(certificate);
    }

    /** Returns the placeholder with this text between braces, or null. */
    static @Nullable Placeholder of(String word) {
        for (Placeholder one : values()) {
            if (one.word.equals(word)) {
                return one;
            }
        }
        return null;
    }

    /** Returns all placeholders as configured. */
    static String all() {
        return Arrays.stream(values()).map(Placeholder::toString).collect(Collectors.joining(" "));
    }

    String value(Exchange exchange) {
        return value.apply(exchange);
    }

    @Override
    public String toString() {
        return "{" + word + "}";
    }
}
