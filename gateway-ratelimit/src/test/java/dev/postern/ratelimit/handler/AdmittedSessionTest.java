package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.RoomState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what an admitted session may do, how long it stays admitted, and the token that pays for it. */
class AdmittedSessionTest {

    private AdmissionFixture stage = AdmissionFixture.room();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void suspendsSubresourcesBeyondTheLeaseOfTheirPage() {
        AdmissionResult page = stage.get("/").send();
        page.passed();
        for (int i = 0; i < 64; i++) {
            part(page).passed();
        }
        stage.advance(Duration.ofMillis(4500));
        AdmissionResult parked = part(page);
        assertThat(parked.passed()).isFalse();
        assertThat(parked.status()).isZero();
        for (int i = 0; i < 9; i++) {
            stage.advance(Duration.ofMillis(250));
        }
        assertThat(parked.status()).isEqualTo(429);
    }

    @Test
    void limitsTheRateOfAnAdmittedSession() {
        stage.close();
        stage = new AdmissionFixture(KeyRing.random(), AdmissionFixture.roomLimit("site", 2, "2/s"));
        stage.get("/").send().passed();
        AdmissionResult admitted = stage.get("/").send();
        assertThat(admitted.passed()).isTrue();
        int passed = 0;
        for (int i = 0; i < 6; i++) {
            AdmissionResult seen = part(admitted);
            passed += seen.passed() ? 1 : 0;
        }
        assertThat(passed).isEqualTo(2);
        for (int i = 0; i < 10; i++) {
            stage.advance(Duration.ofMillis(250));
        }
        int later = 0;
        while (stage.channel.readInbound() != null) {
            later++;
        }
        assertThat(later).isBetween(3, 4);
    }

    @Test
    void oneTokenOpensOneTicket() {
        stage.fill();
        Credential token = new Credential(new byte[16], false);
        assertThat(stage.get("/").credential(token).send().status()).isEqualTo(503);
        AdmissionResult repeated = stage.get("/").credential(token).send();
        assertThat(repeated.status()).isEqualTo(429);
        assertThat(repeated.exchange().outcome().reason()).isEqualTo("ticket-taken");
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void revokesPassWhoseFirstPaymentWasSpent() {
        stage.get("/").send().passed();
        AdmissionResult admitted =
                stage.get("/").credential(new Credential(new byte[16], false)).send();
        assertThat(admitted.passed()).isTrue();
        admitted.exchange().refuse(Refusal.TOKEN_REQUIRED);
        admitted.exchange().end();
        stage.get("/").send().passed();
        AdmissionResult repeated = stage.get("/").cookie(admitted.cookie()).send();
        assertThat(repeated.passed()).isFalse();
        assertThat(repeated.status()).isEqualTo(503);
    }

    @Test
    void openExchangeKeepsPassAlive() {
        stage.get("/").send().passed();
        AdmissionResult download = stage.get("/big").send();
        assertThat(download.passed()).isTrue();
        for (int i = 0; i < 120; i++) {
            stage.advance(Duration.ofSeconds(1));
        }
        assertThat(active()).isEqualTo(1);
        download.exchange().end();
        for (int i = 0; i < 90; i++) {
            stage.advance(Duration.ofSeconds(1));
        }
        assertThat(active()).isZero();
    }

    @Test
    void openTunnelKeepsPassAlive() {
        stage.get("/").send().passed();
        AdmissionResult tunnel = stage.get("/chat").send();
        assertThat(tunnel.passed()).isTrue();
        tunnel.exchange().markTunnelled();
        tunnel.exchange().end();
        for (int i = 0; i < 120; i++) {
            stage.advance(Duration.ofSeconds(1));
        }
        assertThat(active()).isEqualTo(1);
        tunnel.exchange().over();
        for (int i = 0; i < 90; i++) {
            stage.advance(Duration.ofSeconds(1));
        }
        assertThat(active()).isZero();
    }

    @Test
    void removesTheRoomWhenOverloadEnds() {
        stage.fill();
        stage.get("/").send();
        assertThat(stage.limits.state()).hasSize(1);
        for (int i = 0; i < 400; i++) {
            stage.advance(Duration.ofSeconds(1));
        }
        assertThat(stage.limits.state()).as("also of places that were kept").isEmpty();
    }

    private AdmissionResult part(AdmissionResult page) {
        return stage.get("/a.css")
                .with("sec-fetch-mode", "no-cors")
                .cookie(page.cookie())
                .send();
    }

    private long waiting() {
        return stage.limits.state().stream().mapToLong(RoomState::waiting).sum();
    }

    private long active() {
        return stage.limits.state().stream().mapToLong(RoomState::active).sum();
    }
}
