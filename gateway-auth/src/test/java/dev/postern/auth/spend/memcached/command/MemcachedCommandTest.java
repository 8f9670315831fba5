package dev.postern.auth.spend.memcached.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemcachedCommandTest {

    private final List<StoreReply> replies = new ArrayList<>();
    private final List<GetsReply.Response> shown = new ArrayList<>();
    private final List<Long> evicted = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "STORED, STORED",
        "NOT_STORED, NOT_STORED",
        "EXISTS, NOT_STORED",
        "NOT_FOUND, NOT_STORED",
        "SERVER_ERROR out of memory storing object, REFUSED",
        "SERVER_ERROR, REFUSED"
    })
    void readsSplitRepliesToAStore(String line, StoreReply reply) throws IOException {
        String response = line + "\r\n";
        for (int cut = 0; cut <= response.length(); cut++) {
            replies.clear();
            MemcachedCommand store = store(later());

            read(store, response.substring(0, cut));
            read(store, response.substring(cut));

            assertThat(replies).as("split at %d", cut).containsExactly(reply);
            assertThat(store.settled()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERROR", "CLIENT_ERROR bad data chunk", "", "STORE", "STOREDX", "XSTORED", "stored"})
    void refusesOtherReplies(String line) {
        assertThatThrownBy(() -> read(store(later()), line + "\r\n")).isInstanceOf(UnexpectedReplyException.class);

        assertThat(replies).containsExactly(StoreReply.REFUSED);
    }

    @Test
    void readsNoMoreThanItsOwnResponse() throws IOException {
        ByteBuffer received = ISO_8859_1.encode("NOT_STORED\r\nSTORED\r\n");

        store(later()).read(received);
        assertThat(received.remaining()).isEqualTo("STORED\r\n".length());
        store(later()).read(received);

        assertThat(replies).containsExactly(StoreReply.NOT_STORED, StoreReply.STORED);
        assertThat(received.remaining()).isZero();
    }

    @Test
    void readsASplitValueThatLooksLikeAResponse() throws IOException {
        String value = "END\r\nVALUE x 0 1 1\r\n";
        String response =
                "VALUE test:1:epoch 7 " + value.length() + " 18446744073709551615\r\n" + value + "\r\nEND\r\n";
        for (int cut = 0; cut <= response.length(); cut++) {
            shown.clear();
            MemcachedCommand gets = gets();

            read(gets, response.substring(0, cut));
            read(gets, response.substring(cut));

            assertThat(shown).as("split at %d", cut).hasSize(1);
            GetsReply.Response one = shown.get(0);
            assertThat(one.reply()).isEqualTo(StoreReply.STORED);
            assertThat(one.value()).isEqualTo(value.getBytes(ISO_8859_1));
            assertThat(one.cas()).isEqualTo(-1);
        }
    }

    @Test
    void readsAnEmptyAndAMissingValue() throws IOException {
        read(gets(), "VALUE k 0 0 5\r\n\r\nEND\r\n");
        read(gets(), "END\r\n");
        read(gets(), "SERVER_ERROR out of memory writing get response\r\n");

        assertThat(shown)
                .extracting(GetsReply.Response::reply)
                .containsExactly(StoreReply.STORED, StoreReply.NOT_STORED, StoreReply.REFUSED);
        assertThat(shown.get(0).value()).isEmpty();
        assertThat(shown.get(1).value()).isNull();
    }

    @Test
    void limitsTheValue() throws IOException {
        MemcachedCommand gets = gets();

        read(gets, "VALUE k 0 1000000 5\r\n" + "x".repeat(1_000_000));
        assertThat(shown).isEmpty();
        read(gets, "\r\nEND\r\n");

        assertThat(shown.get(0).value()).hasSize(16 * 1024).containsOnly('x');
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERROR", "VALUE k 0 1", "VALUE k 0 1 2 3", "VALUES k 0 1 2", ""})
    void refusesOtherValues(String line) {
        assertThatThrownBy(() -> read(gets(), line + "\r\n")).isInstanceOf(UnexpectedReplyException.class);

        assertThat(shown).extracting(GetsReply.Response::reply).containsExactly(StoreReply.REFUSED);
    }

    @Test
    void readsSplitEvictionCounters() throws IOException {
        String response = "STAT pid 1\r\nSTAT evicted_unfetched 9\r\nSTAT evictions 12345678901\r\nSTAT "
                + "x".repeat(100) + " 1\r\nEND\r\n";
        for (int cut = 0; cut <= response.length(); cut++) {
            evicted.clear();
            MemcachedCommand stats = stats();

            read(stats, response.substring(0, cut));
            read(stats, response.substring(cut));

            assertThat(evicted).as("split at %d", cut).containsExactly(12_345_678_901L);
            assertThat(stats.settled()).isTrue();
        }
        assertThat(ISO_8859_1.decode(stats().bytes()).toString()).isEqualTo("stats\r\n");
    }

    @Test
    void refusesOtherStatistics() {
        MemcachedCommand stats = stats();
        assertThatThrownBy(() -> read(stats, "ERROR\r\n")).isInstanceOf(UnexpectedReplyException.class);

        assertThat(evicted).isEmpty();
        assertThat(stats.settled()).isTrue();
    }

    @Test
    void isUnsentWhenCancelledBeforeTheWriteAndLostAfterwards() {
        MemcachedCommand queued = store(later());
        queued.drop();
        MemcachedCommand writing = store(later());
        writing.writing();
        writing.drop();
        MemcachedCommand written = store(later());
        written.writing();
        written.written();
        written.drop();

        assertThat(replies).containsExactly(StoreReply.UNSENT, StoreReply.LOST, StoreReply.LOST);
    }

    @Test
    void isSettledOnce() throws IOException {
        MemcachedCommand store = store(later());
        store.writing();
        store.written();

        read(store, "STORED\r\n");
        store.drop();
        read(store, "STORED\r\n");

        assertThat(replies).containsExactly(StoreReply.STORED);
    }

    @Test
    void isNotWrittenAfterItsDeadline() {
        MemcachedCommand expired = store(Ticker.systemTicker().nanoTime());
        assertThat(expired.mayBeWritten(Ticker.systemTicker().nanoTime())).isFalse();
        assertThat(store(later()).mayBeWritten(Ticker.systemTicker().nanoTime()))
                .isTrue();

        assertThat(replies).containsExactly(StoreReply.UNSENT);
    }

    private MemcachedCommand store(long deadline) {
        return new StoreCommand(ByteBuffer.allocate(1), deadline, replies::add);
    }

    private MemcachedCommand gets() {
        return new GetsCommand(ByteBuffer.allocate(1), later(), shown::add);
    }

    private MemcachedCommand stats() {
        return StatsCommand.count(later(), evicted::add);
    }

    private static void read(MemcachedCommand command, String text) throws IOException {
        command.read(ISO_8859_1.encode(text));
    }

    private static long later() {
        return Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
    }

    @Test
    void refusesAnEmptyLineWithoutCr() {
        assertThatThrownBy(() -> read(store(later()), "\n")).isInstanceOf(UnexpectedReplyException.class);

        assertThat(replies).containsExactly(StoreReply.REFUSED);
    }
}
