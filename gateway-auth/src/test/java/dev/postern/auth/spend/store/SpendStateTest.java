package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.SpendState.Expired;
import dev.postern.auth.spend.store.SpendState.Responded;
import dev.postern.auth.spend.store.SpendState.Sent;
import dev.postern.auth.spend.store.SpendState.Settled;
import dev.postern.auth.spend.store.SpendState.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

class SpendStateTest {

    @Test
    void isFreshOnlyWhenStoredAndVerifiedInTime() {
        SpendState stored = Sent.SENT.settled(StoreReply.STORED);
        assertThat(stored).isEqualTo(new Stored());
        assertThat(stored.ended()).isFalse();

        SpendState fresh = stored.verified(true);
        assertThat(fresh).isInstanceOf(Settled.class);
        assertThat(fresh.result()).as("not before the listener is called").isEqualTo(SpendResult.UNKNOWN);

        assertThat(fresh.responded()).isEqualTo(new Responded(StoreReply.STORED, SpendResult.FRESH));
        assertThat(stored.verified(false).responded()).isEqualTo(new Responded(StoreReply.STORED, SpendResult.UNKNOWN));
    }

    @ParameterizedTest
    @CsvSource({"NOT_STORED, SPENT", "REFUSED, UNKNOWN", "UNSENT, UNKNOWN", "LOST, UNKNOWN"})
    void mapsTheReplyToAResult(StoreReply reply, SpendResult result) {
        SpendState settled = Sent.SENT.settled(reply);

        assertThat(settled).isInstanceOf(Settled.class);
        assertThat(settled.reply()).isEqualTo(reply);
        assertThat(settled.ended()).isFalse();
        assertThat(settled.responded()).isEqualTo(new Responded(reply, result));
        assertThat(settled.responded().ended()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("waiting")
    void staysUnknownAfterItExpired(SpendState waiting) {
        SpendState expired = waiting.expired();

        assertThat(expired).isEqualTo(new Expired(waiting.reply()));
        assertThat(expired.ended()).isTrue();
        assertThat(expired.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(expired.verified(true)).isEqualTo(expired);
        assertThatIllegalStateException().isThrownBy(expired::responded);
    }

    @ParameterizedTest
    @EnumSource
    void keepsALateReplyForTheRefund(StoreReply reply) {
        SpendState expired = Sent.SENT.expired();
        assertThat(expired.reply()).isNull();

        SpendState late = expired.settled(reply);

        assertThat(late).isEqualTo(new Expired(reply));
        assertThat(late.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(late.verified(true)).isEqualTo(late);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "STORED")
    void isVerifiedOnlyAfterItWasStored(StoreReply reply) {
        assertThatIllegalStateException().isThrownBy(() -> Sent.SENT.verified(true));
        assertThatIllegalStateException()
                .isThrownBy(() -> Sent.SENT.settled(reply).verified(true));
    }

    @Test
    void isSettledAndRespondedOnce() {
        for (SpendState settled : waiting().filter(Settled.class::isInstance).toList()) {
            assertThatIllegalStateException().isThrownBy(() -> settled.settled(StoreReply.STORED));
            SpendState responded = settled.responded();
            assertThatIllegalStateException().isThrownBy(() -> responded.settled(StoreReply.STORED));
            assertThatIllegalStateException().isThrownBy(() -> responded.verified(true));
            assertThatIllegalStateException().isThrownBy(responded::responded);
            assertThatIllegalStateException().isThrownBy(responded::expired);
        }
        assertThatIllegalStateException().isThrownBy(() -> Stored.STORED.settled(StoreReply.STORED));
        assertThatIllegalStateException().isThrownBy(Sent.SENT::responded);
        assertThatIllegalStateException().isThrownBy(Stored.STORED::responded);
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNoState(StoreReply reply) {
        assertThat(Sent.SENT.settled(reply)).isSameAs(Sent.SENT.settled(reply));
        assertThat(Sent.SENT.expired().settled(reply))
                .isSameAs(Sent.SENT.expired().settled(reply));
        waiting().forEach(state -> assertThat(state.expired()).isSameAs(state.expired()));
    }

    /** Returns all states in which the listener waits. */
    static Stream<SpendState> waiting() {
        List<SpendState> all = new ArrayList<>(List.of(Sent.SENT, Stored.STORED));
        for (StoreReply reply : StoreReply.values()) {
            if (reply != StoreReply.STORED) {
                all.add(Sent.SENT.settled(reply));
            }
        }
        all.add(Stored.STORED.verified(true));
        all.add(Stored.STORED.verified(false));
        return all.stream();
    }
}
