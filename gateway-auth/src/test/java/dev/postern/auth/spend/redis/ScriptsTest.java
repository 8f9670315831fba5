package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ScriptsTest {

    @Test
    void namesEachScriptByTheSha1OfItsTextAsTheServerDoes() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-1");

        assertThat(Scripts.ALL)
                .allSatisfy(script -> assertThat(script.name())
                        .isEqualTo(HexFormat.of()
                                .formatHex(digest.digest(script.text().getBytes(US_ASCII)))));
    }
}
