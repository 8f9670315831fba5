package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which TLS sessions are adequate for HTTP/2 (RFC 9113 section 9.2.2); {@link GracefulShutdownTest} has one that is not. */
class ConnectionPrefaceCheckTest {

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, TLS_AES_128_GCM_SHA256, true",
        "TLSv1.2, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, true",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, true",
        "TLSv1.2, TLS_DHE_RSA_WITH_AES_256_GCM_SHA384, true",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8, true",
        "TLSv1.2, TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256, false",
        "TLSv1.2, TLS_RSA_WITH_AES_128_GCM_SHA256, false",
        "TLSv1.2, TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256, false",
        "TLSv1.2, TLS_DH_anon_WITH_AES_128_GCM_SHA256, false",
        "TLSv1.1, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, false"
    })
    void refusesCiphersOfAppendixA(String protocol, String suite, boolean adequate) {
        assertThat(ConnectionPrefaceCheck.adequate(protocol, suite)).isEqualTo(adequate);
    }
}
