package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.LeakExtension;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests tickets while the ring of the process changes. */
@ExtendWith(LeakExtension.class)
class RingChangeTest {

    private static final String OLD = KeyRing.newLine();
    private static final String NEW = KeyRing.newLine();

    private final AdmissionFixture stage =
            new AdmissionFixture(KeyRing.of(List.of(OLD)), AdmissionFixture.roomLimit("site", 1));

    @BeforeEach
    void fill() {
        while (stage.get("/").send().passed()) {
            // until the room is full
        }
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private String position(String cookie) {
        return stage.get("/").cookie(cookie).send().field("postern-queue-position");
    }

    @Test
    void aTicketOfAnOlderSecretKeepsItsPlaceAndIsSealedAnew() {
        AdmissionResult waiting = stage.get("/").send();
        String place = waiting.field("postern-queue-position");
        stage.limits.ring(KeyRing.of(List.of(NEW, OLD)));
        AdmissionResult again = stage.get("/").cookie(waiting.cookie()).send();
        assertThat(again.field("postern-queue-position")).isEqualTo(place);

        stage.limits.ring(KeyRing.of(List.of(NEW)));
        assertThat(position(again.cookie())).isEqualTo(place);
        assertThat(position(waiting.cookie()))
                .as("sealed with a retired secret")
                .isNotEqualTo(place);
    }
}
