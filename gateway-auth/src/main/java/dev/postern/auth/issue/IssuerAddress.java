package dev.postern.auth.issue;

import dev.postern.auth.key.IssuerSettings;
import java.net.URI;
import java.util.Set;

/**
 * Address of an issuer's directory: https, as names in challenges are authorities of https (RFC 9577 section 2.1.1); http when the name is
 * a loopback one with a port, such as {@code localhost:9999} or {@code 127.0.0.1:9999}, so that development needs no certificates.
 */
final class IssuerAddress {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Length of a host (RFC 1035 section 2.3.4), a colon and a port; the issuer name of a challenge may have up to 65535 characters. */
    private static final int LONGEST_NAME = 253 + 6;

    private IssuerAddress() {}

    static URI directory(String issuerName) {
        if (issuerName.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "issuer-name: " + issuerName.length() + " characters (expected: host or host:port)");
        }
        int colon = issuerName.lastIndexOf(':');
        String host = colon > issuerName.lastIndexOf(']') ? issuerName.substring(0, colon) : issuerName;
        String scheme = colon > 0 && LOOPBACK.contains(host) && !host.equals(issuerName) ? "http" : "https";
        URI uri;
        try {
            uri = URI.create(scheme + "://" + issuerName + IssuerSettings.WELL_KNOWN);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("issuer-name: " + issuerName + " (expected: host or host:port)", e);
        }
        if (uri.getHost() == null || uri.getUserInfo() != null || !uri.getPath().equals(IssuerSettings.WELL_KNOWN)) {
            throw new IllegalArgumentException("issuer-name: " + issuerName + " (expected: host or host:port)");
        }
        return uri;
    }
}
