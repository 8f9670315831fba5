/**
 * Certificates, private keys and OCSP responses: read from PEM and DER, checked, with their expiry; failures of TLS as text. Used by {@code
 * tls}, {@code upstream}, {@code redis} and the application.
 */
@NullMarked
package dev.postern.core.tls.certificate;

import org.jspecify.annotations.NullMarked;
