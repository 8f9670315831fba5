package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OpensslSpeedTest {
    @Test
    void readsVerificationsOfOpenssl30() {
        String output = """
                CPUINFO: OPENSSL_ia32cap=0xfffa32034f8bffff
                                  sign    verify    sign/s verify/s
                rsa 2048 bits 0.000301s 0.000016s   3323.5  62580.2
                """;
        assertThat(OpensslSpeed.parse(output)).isEqualTo(62580.2);
    }

    @Test
    void readsVerificationsBesideEncryption() {
        String output = """
                                   sign    verify    encrypt   decrypt   sign/s verify/s  encr./s  decr./s
                rsa  2048 bits 0.000300s 0.000015s 0.000016s 0.000302s   3333.1  66666.2  62000.5   3311.0
                """;
        assertThat(OpensslSpeed.parse(output)).isEqualTo(66666.2);
    }

    @Test
    void quotesUnexpectedOutput() {
        assertThatThrownBy(() -> OpensslSpeed.parse("unknown option -seconds")).hasMessageContaining("unknown option");
    }
}
