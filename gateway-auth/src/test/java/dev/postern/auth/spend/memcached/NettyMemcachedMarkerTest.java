package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the epoch marker read after the spends decides whether STORED is FRESH. */
class NettyMemcachedMarkerTest extends NettyMemcachedConnectionFixture {

    @Test
    void isFreshOnlyWhenTheServerStillReturnsItsMarker() {
        PendingAdd add = begin(1).get(0);

        receive(STORED);
        assertThat(add.responded()).isFalse();
        receive(SHOWN);

        assertThat(add.result()).isEqualTo(SpendResult.FRESH);
        assertThat(received).containsExactly("established");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "END\r\n",
                "VALUE test:1:epoch 0 34 9\r\nffeeddccbbaa99887766554433221100:0\r\nEND\r\n",
                "VALUE test:1:epoch 0 34 7\r\n00112233445566778899aabbccddeefe:0\r\nEND\r\n",
                "VALUE test:1:epoch 0 33 7\r\n00112233445566778899aabbccddeeff:\r\nEND\r\n"
            })
    void isNotFreshWithAnotherMarkerOrNone(String shown) {
        List<PendingAdd> precedingReply = begin(2);
        List<PendingAdd> followingReply = begin(2);
        receive(STORED + NOT_STORED + SHOWN + STORED + NOT_STORED);
        assertThat(results(precedingReply)).containsExactly(SpendResult.FRESH, SpendResult.SPENT);

        shown.chars().mapToObj(Character::toString).forEach(this::receive);

        assertThat(results(followingReply)).containsExactly(SpendResult.UNKNOWN, SpendResult.SPENT);
        assertThat(followingReply.get(0).reply()).isEqualTo(StoreReply.STORED);
        assertThat(connection.marker())
                .as("nothing is sent until the marker was verified again")
                .isNull();
        assertThat(received).containsExactly("established", "doubt");
        List<PendingAdd> healed = begin(1);
        connection.marker(MemcachedFixture.MARKER);
        receive(STORED + SHOWN);
        assertThat(results(healed)).containsExactly(SpendResult.FRESH);
    }

    @Test
    void keepsTheVerifiedMarkerWhenTheConnectionClosesBeforeTheReply() {
        PendingAdd add = begin(1).get(0);
        receive(STORED + SHOWN.substring(0, 20));

        channel.close();

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(add.reply()).isEqualTo(StoreReply.STORED);
        assertThat(received).as("no doubt about the server's memory").containsExactly("established", "lost");
    }

    @Test
    void revokesTheMarkerBeforeTheConnectionHasClosed() {
        PendingAdd add = begin(1).get(0);
        List<byte[]> markWhenTold = new ArrayList<>();
        channel.closeFuture().addListener(closed -> markWhenTold.add(connection.marker()));

        memcachedConnection.close();

        assertThat(markWhenTold).containsExactly((byte[]) null);
        assertThat(add.reply()).isEqualTo(StoreReply.LOST);
    }
}
