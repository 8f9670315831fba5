package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StatsCommand;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that replies are matched to their commands, however they are split. */
class NettyMemcachedRepliesTest extends NettyMemcachedConnectionFixture {

    @Test
    void givesEachSpendItsOwnResponse() {
        List<PendingAdd> adds = begin(5);

        receive(STORED + NOT_STORED + FULL + NOT_STORED + STORED + SHOWN);

        assertThat(results(adds))
                .containsExactly(
                        SpendResult.FRESH,
                        SpendResult.SPENT,
                        SpendResult.UNKNOWN,
                        SpendResult.SPENT,
                        SpendResult.FRESH);
        assertThat(fixture.responses).hasSize(5);
        assertThat(adds.get(2).reply()).isEqualTo(StoreReply.REFUSED);
        assertThat(channel.isActive())
                .as("a full server responds, and in order")
                .isTrue();
    }

    @Test
    void readsSplitResponses() {
        String responses = STORED + NOT_STORED + FULL + STORED + SHOWN;
        for (int cut = 1; cut < responses.length(); cut++) {
            List<PendingAdd> adds = begin(4);

            receive(responses.substring(0, cut));
            receive(responses.substring(cut));

            assertThat(results(adds))
                    .as("split at %d", cut)
                    .containsExactly(SpendResult.FRESH, SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.FRESH);
        }
    }

    @Test
    void readsResponsesByteByByte() {
        List<PendingAdd> adds = begin(3);

        for (char next : (NOT_STORED + FULL + STORED + SHOWN).toCharArray()) {
            receive(String.valueOf(next));
        }

        assertThat(results(adds)).containsExactly(SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.FRESH);
    }

    @Test
    void keepsTheOrderAfterASpendTimedOut() {
        List<PendingAdd> adds = begin(2);
        adds.get(0).expire();

        receive(STORED);
        assertThat(adds.get(1).responded())
                .as("this was the response to the first spend")
                .isFalse();
        receive(NOT_STORED);

        assertThat(results(adds)).containsExactly(SpendResult.UNKNOWN, SpendResult.SPENT);
        assertThat(adds.get(0).reply()).as("must be refunded").isEqualTo(StoreReply.STORED);
    }

    @Test
    void matchesResponsesOfOtherCommands() {
        List<GetsReply.Response> shown = new ArrayList<>();
        PendingAdd first = begin(1).get(0);
        memcachedConnection.send(
                new GetsCommand(MemcachedEncoding.gets(fixture.encoding.epoch()), later(), shown::add));
        channel.runPendingTasks();
        PendingAdd last = begin(1).get(0);

        String responses = STORED + SHOWN + "VALUE test:1:epoch 0 8 77\r\nSTORED\r\n\r\nEND\r\n" + NOT_STORED;
        receive(responses.substring(0, 110));
        receive(responses.substring(110));

        assertThat(results(List.of(first, last))).containsExactly(SpendResult.FRESH, SpendResult.SPENT);
        assertThat(shown).hasSize(1);
        assertThat(shown.get(0).cas()).isEqualTo(77);
        assertThat(shown.get(0).value()).isEqualTo("STORED\r\n".getBytes(ISO_8859_1));
    }

    @Test
    void matchesTheThreeResponsesOfAMarkerCheck() {
        List<Long> evicted = new ArrayList<>();
        List<StoreReply> added = new ArrayList<>();
        List<GetsReply.Response> shown = new ArrayList<>();
        memcachedConnection.send(StatsCommand.count(later(), evicted::add));
        memcachedConnection.send(new StoreCommand(
                MemcachedEncoding.addForever(fixture.encoding.epoch(), MemcachedFixture.MARKER), later(), added::add));
        memcachedConnection.send(
                new GetsCommand(MemcachedEncoding.gets(fixture.encoding.epoch()), later(), shown::add));
        channel.runPendingTasks();
        assertThat(written()).startsWith("stats\r\nadd test:1:epoch ").endsWith("gets test:1:epoch\r\n");
        PendingAdd add = begin(1).get(0);

        receive("STAT evictions 3\r\nSTAT x 1\r\nEND\r\n" + STORED + "END\r\n" + NOT_STORED);

        assertThat(evicted).containsExactly(3L);
        assertThat(added).containsExactly(StoreReply.STORED);
        assertThat(shown).extracting(GetsReply.Response::reply).containsExactly(StoreReply.NOT_STORED);
        assertThat(add.result()).isEqualTo(SpendResult.SPENT);
    }
}
