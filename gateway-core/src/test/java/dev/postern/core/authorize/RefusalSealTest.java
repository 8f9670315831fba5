package dev.postern.core.authorize;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.PageNote;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalSealTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final KeyRing ring = KeyRing.random();
    private Instant now = BEGIN;
    private final RefusalSeal seal = new RefusalSeal(() -> ring, () -> now);

    private static SealedRefusal refusal(String note, List<Field> fields) {
        return new SealedRefusal(503, "waiting", new PageNote("/.postern/room/site", note), "POST", "id-1", fields);
    }

    private static List<Field> fields(int count, int length) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add(Field.of(FieldName.SET_COOKIE, i + "=" + "v".repeat(length)));
        }
        return fields;
    }

    @Test
    void opensWhatItSealed() {
        SealedRefusal opened = seal.open(seal.seal(refusal("waiting 3 60 10", fields(2, 10))));
        assertThat(opened).isNotNull();
        assertThat(opened.status()).isEqualTo(503);
        assertThat(opened.code()).isEqualTo("waiting");
        assertThat(opened.note()).isEqualTo(new PageNote("/.postern/room/site", "waiting 3 60 10"));
        assertThat(opened.method()).isEqualTo("POST");
        assertThat(opened.requestId()).isEqualTo("id-1");
        assertThat(opened.fields()).extracting(Field::value).containsExactly("0=vvvvvvvvvv", "1=vvvvvvvvvv");
    }

    @Test
    void staysBelow2KiB() {
        for (int length : new int[] {0, 100, 300, 700, 1_000, 5_000}) {
            assertThat(seal.seal(refusal("\u20ac".repeat(200), fields(16, length))))
                    .hasSizeLessThan(2_048);
        }
        SealedRefusal full = seal.open(seal.seal(refusal("", fields(16, 300))));
        assertThat(full).isNotNull();
        assertThat(full.fields()).hasSizeBetween(3, 5);
    }

    @Test
    void aMinuteLaterItIsStale() {
        String text = seal.seal(refusal("", List.of()));
        now = BEGIN.plus(Duration.ofSeconds(60));
        assertThat(seal.open(text)).isNotNull();
        now = now.plusMillis(1);
        assertThat(seal.open(text)).isNull();
    }

    /** Another replica may have sealed it, whose clock is ahead. */
    @Test
    void aRefusalOfTheNearFutureIsGood() {
        String text = seal.seal(refusal("", List.of()));
        now = BEGIN.minus(Duration.ofSeconds(30));
        assertThat(seal.open(text)).isNotNull();
        now = BEGIN.minus(Duration.ofSeconds(61));
        assertThat(seal.open(text)).isNull();
    }

    @Test
    void otherRingsAndUsesAndTextsDoNotOpen() {
        String text = seal.seal(refusal("", List.of()));
        RefusalSeal foreign = new RefusalSeal(KeyRing::random, () -> now);
        assertThat(foreign.open(text)).isNull();
        assertThat(seal.open("")).isNull();
        assertThat(seal.open("x".repeat(300))).isNull();
        assertThat(seal.open(text + "A")).isNull();
        assertThat(seal.open(ring.seal("refusal").seal(new byte[20], new byte[0])))
                .isNull();
        assertThat(seal.open(ring.seal("refusal").seal(new byte[20], "postern-refusal".getBytes(US_ASCII))))
                .isNull();
    }

    @Test
    void takesTheRingInForce() {
        List<KeyRing> rings = new ArrayList<>(List.of(KeyRing.random()));
        RefusalSeal changing = new RefusalSeal(() -> rings.get(0), () -> now);
        String old = changing.seal(refusal("", List.of()));
        rings.set(0, KeyRing.random());
        assertThat(changing.open(old)).isNull();
        assertThat(changing.open(changing.seal(refusal("", List.of())))).isNotNull();
    }
}
