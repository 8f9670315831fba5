package dev.postern.core.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class KeyRingTest {

    private static final byte[] PLAIN = "plain".getBytes(UTF_8);
    private static final byte[] BOUND = "bound".getBytes(UTF_8);

    private final String old = KeyRing.newLine();
    private final String fresh = KeyRing.newLine();

    @Test
    void opensValuesSealedByAnotherReplica() {
        String sealed = KeyRing.of(List.of(old)).seal("ticket").seal(PLAIN, BOUND);
        assertThat(KeyRing.of(List.of(old)).seal("ticket").open(sealed, BOUND)).isEqualTo(PLAIN);
    }

    @Test
    void opensValuesSealedWithAnOlderSecretButNotWithARetiredOne() {
        String sealed = KeyRing.of(List.of(old)).seal("ticket").seal(PLAIN, BOUND);
        assertThat(KeyRing.of(List.of(fresh, old)).seal("ticket").open(sealed, BOUND))
                .isEqualTo(PLAIN);
        assertThat(KeyRing.of(List.of(fresh)).seal("ticket").open(sealed, BOUND))
                .isNull();
    }

    @Test
    void doesNotOpenForAnotherUseOrAnotherBinding() {
        KeyRing ring = KeyRing.of(List.of(old));
        String sealed = ring.seal("ticket").seal(PLAIN, BOUND);
        assertThat(ring.seal("session").open(sealed, BOUND)).isNull();
        assertThat(ring.seal("ticket").open(sealed, "other".getBytes(UTF_8))).isNull();
    }

    @Test
    void doesNotOpenModifiedValues() {
        SealedBox box = KeyRing.of(List.of(old)).seal("ticket");
        String sealed = box.seal(PLAIN, BOUND);
        for (int i = 0; i < sealed.length(); i++) {
            char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
            assertThat(box.open(sealed.substring(0, i) + other + sealed.substring(i + 1), BOUND))
                    .as("position %d", i)
                    .isNull();
            assertThat(box.open(sealed.substring(0, i), BOUND)).isNull();
        }
        assertThat(box.open(sealed + "=", BOUND)).isNull();
        assertThat(box.open("", BOUND)).isNull();
        assertThat(box.open("not base64!", BOUND)).isNull();
    }

    @Test
    void opensAndSealsAfterAForgery() {
        SealedBox box = KeyRing.of(List.of(old)).seal("ticket");
        String sealed = box.seal(PLAIN, BOUND);
        assertThat(box.open(sealed, "forged".getBytes(UTF_8))).isNull();
        assertThat(box.open(sealed, BOUND)).isEqualTo(PLAIN);
        assertThat(box.open(box.seal(BOUND, PLAIN), PLAIN)).isEqualTo(BOUND);
    }

    @Test
    void supportsConcurrentUse() throws Exception {
        KeyRing ring = KeyRing.of(List.of(old));
        SealedBox box = ring.seal("ticket");
        Prf prf = ring.prf("a");
        byte[] expected = prf.of(PLAIN);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Boolean>> work = Collections.nCopies(
                    2_000,
                    () -> Arrays.equals(prf.of(PLAIN), expected)
                            && Arrays.equals(box.open(box.seal(PLAIN, BOUND), BOUND), PLAIN));
            for (Future<Boolean> done : threads.invokeAll(work)) {
                assertThat(done.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void usesOfThePrfHaveDifferentKeys() {
        KeyRing ring = KeyRing.of(List.of(fresh, old));
        assertThat(ring.prf("a").of(PLAIN))
                .isNotEqualTo(ring.prf("b").of(PLAIN))
                .hasSize(32);
        assertThat(ring.prf("a").all(PLAIN)).hasSize(2);
        assertThat(ring.prf("a").all(PLAIN).get(1))
                .isEqualTo(KeyRing.of(List.of(old)).prf("a").of(PLAIN));
    }

    @Test
    void derivesByRfc5869() {
        // HKDF-SHA-256 with an empty salt and one block equals HMAC(HMAC(0, secret), info | 01).
        byte[] secret = Base64.getDecoder().decode(old);
        byte[] extracted = Hkdf.hmac(new byte[32], secret);
        byte[] info = "postern:prf:a".getBytes(UTF_8);
        byte[] block = java.util.Arrays.copyOf(info, info.length + 1);
        block[info.length] = 1;
        assertThat(Hkdf.derive(secret, "prf:a")).isEqualTo(Hkdf.hmac(extracted, block));
    }

    @Test
    void refusesAnInvalidRing() {
        assertThatThrownBy(() -> KeyRing.of(List.of("# only a comment", ""))).hasMessageContaining("expected");
        assertThatThrownBy(() -> KeyRing.of(List.of("c2hvcnQ=")))
                .hasMessageContaining("line 1")
                .hasMessageContaining("expected")
                .hasMessageNotContaining("c2hvcnQ");
    }

    @Test
    void ringsAreEqualByTheirSecretsInOrder() {
        KeyRing ring = KeyRing.of(List.of(fresh, old));
        assertThat(ring)
                .isEqualTo(KeyRing.of(List.of("# note", fresh, old)))
                .hasSameHashCodeAs(KeyRing.of(List.of(fresh, old)));
        assertThat(ring).isNotEqualTo(KeyRing.of(List.of(old, fresh))).isNotEqualTo(KeyRing.of(List.of(fresh)));
    }

    @Test
    void fingerprintsNameLinesInOrder() {
        String one = KeyRing.newLine();
        String two = KeyRing.newLine();
        KeyRing ring = KeyRing.of(List.of(one, two));
        assertThat(ring.fingerprints())
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allMatch(text -> text.matches("[0-9a-f]{8}"));
        assertThat(KeyRing.of(List.of(two, one)).fingerprints())
                .containsExactly(ring.fingerprints().get(1), ring.fingerprints().get(0));
    }
}
