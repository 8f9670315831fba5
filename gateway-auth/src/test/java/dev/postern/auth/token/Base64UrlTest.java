package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Base64UrlTest {

    @ParameterizedTest
    @CsvSource({"'',''", "f,Zg==", "fo,Zm8=", "foo,Zm9v", "foob,Zm9vYg==", "fooba,Zm9vYmE=", "foobar,Zm9vYmFy"})
    void readsTheVectorsOfRfc4648(String plain, String text) {
        assertThat(Base64Url.decode(text)).isEqualTo(plain.getBytes(US_ASCII));
        assertThat(Base64Url.encode(plain.getBytes(US_ASCII))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Zg",
                "Zg=",
                "Zg===",
                "Zm8",
                "Zm8==",
                "Zh==",
                "Zm9=",
                "Zm+=",
                "Zm/=",
                "Z+8=",
                "Z+==",
                "Z===",
                "====",
                "=",
                "Zm9v=",
                "Zm9v====",
                "Zm+v",
                "Zm/v",
                "Zm v",
                " Zm9",
                "Zm9v\n",
                "Zg=a",
                "Zg==Zg==",
                "Z\u00e99v",
                "Zm8=Zm9v",
                "Zm9\u0000"
            })
    void refusesNonCanonicalText(String text) {
        assertThat(Base64Url.decode(text)).isNull();
    }

    @Test
    void readsWhatItWrites() {
        Random random = new Random(20261120);
        for (int length = 0; length < 400; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertThat(Base64Url.decode(Base64Url.encode(bytes))).isEqualTo(bytes);
        }
    }
}
