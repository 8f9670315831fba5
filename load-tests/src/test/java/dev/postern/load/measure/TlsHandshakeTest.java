package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TlsHandshakeTest {
    private static final String OUTPUT = """
            Can't use SSL_get_servername
            depth=0 CN = localhost
            verify error:num=18:self-signed certificate
            CONNECTION ESTABLISHED
            Protocol version: TLSv1.3
            Ciphersuite: TLS_AES_256_GCM_SHA384
            Peer certificate: CN = localhost
            Hash used: SHA256
            Signature type: ECDSA
            Verification error: self-signed certificate
            Server Temp Key: X25519, 253 bits
            DONE
            """;

    @Test
    void readsWhatBothAgreedOn() {
        assertThat(TlsHandshake.parse(OUTPUT)).hasToString("TLSv1.3, TLS_AES_256_GCM_SHA384, X25519");
    }

    @Test
    void namesTheMissingLine() {
        assertThatThrownBy(() -> TlsHandshake.parse("CONNECTED")).hasMessageContaining("no Protocol version");
    }
}
