package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StatsCommand;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakExtension.class)
class NettyMemcachedConnectionTest {

    private static final String STORED = "STORED\r\n";
    private static final String NOT_STORED = "NOT_STORED\r\n";
    private static final String SHOWN =
            "VALUE test:1:epoch 0 34 7\r\n" + new String(Rig.MARK, ISO_8859_1) + "\r\nEND\r\n";
    private static final String GETS_MARK = "gets test:1:epoch\r\n";
    private static final String FULL = "SERVER_ERROR out of memory storing object\r\n";

    private final Rig rig = new Rig();
    private final EmbeddedChannel channel = rig.channel;
    private final List<String> received = new ArrayList<>();
    private final MarkedConnection connection = new MarkedConnection(new Notes(received));
    private final NettyMemcachedConnection memcachedConnection =
            new NettyMemcachedConnection(channel.eventLoop(), connection, rig.keys);
    private final MemcachedServer server = rig.server();

    @BeforeEach
    void connect() {
        channel.pipeline().addLast(memcachedConnection);
        channel.pipeline().fireChannelActive();
        rig.marks.seen(0, Rig.MARK);
        connection.mark(Rig.MARK);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void givesEachSpendItsOwnResponse() {
        List<PendingAdd> attempts = begin(5);

        receive(STORED + NOT_STORED + FULL + NOT_STORED + STORED + SHOWN);

        assertThat(results(attempts))
                .containsExactly(
                        SpendResult.FRESH,
                        SpendResult.SPENT,
                        SpendResult.UNKNOWN,
                        SpendResult.SPENT,
                        SpendResult.FRESH);
        assertThat(rig.responses).hasSize(5);
        assertThat(attempts.get(2).reply()).isEqualTo(StoreReply.REFUSED);
        assertThat(channel.isActive())
                .as("a full server responds, and in order")
                .isTrue();
    }

    @Test
    void readsResponsesThatAreCutAnywhere() {
        String responses = STORED + NOT_STORED + FULL + STORED + SHOWN;
        for (int cut = 1; cut < responses.length(); cut++) {
            List<PendingAdd> attempts = begin(4);

            receive(responses.substring(0, cut));
            receive(responses.substring(cut));

            assertThat(results(attempts))
                    .as("cut at %d", cut)
                    .containsExactly(SpendResult.FRESH, SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.FRESH);
        }
    }

    @Test
    void readsResponsesThatComeByteByByte() {
        List<PendingAdd> attempts = begin(3);

        for (char next : (NOT_STORED + FULL + STORED + SHOWN).toCharArray()) {
            receive(String.valueOf(next));
        }

        assertThat(results(attempts)).containsExactly(SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.FRESH);
    }

    @Test
    void keepsThePlaceInLineOfASpendThatNobodyWaitsForAnyMore() {
        List<PendingAdd> attempts = begin(2);
        attempts.get(0).expire();

        receive(STORED);
        assertThat(attempts.get(1).responded())
                .as("that was the first one's response")
                .isFalse();
        receive(NOT_STORED);

        assertThat(results(attempts)).containsExactly(SpendResult.UNKNOWN, SpendResult.SPENT);
        assertThat(attempts.get(0).reply()).as("to be given back").isEqualTo(StoreReply.STORED);
    }

    @Test
    void givesCommandsBetweenSpendsTheirOwnResponses() {
        List<GetsReply.Response> shown = new ArrayList<>();
        PendingAdd first = begin(1).get(0);
        memcachedConnection.send(new GetsCommand(MemcachedEncoding.gets(rig.keys.epoch()), later(), shown::add));
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
    void givesACheckOfTheServerItsThreeResponses() {
        List<Long> evicted = new ArrayList<>();
        List<StoreReply> added = new ArrayList<>();
        List<GetsReply.Response> shown = new ArrayList<>();
        memcachedConnection.send(StatsCommand.count(later(), evicted::add));
        memcachedConnection.send(
                new StoreCommand(MemcachedEncoding.addForever(rig.keys.epoch(), Rig.MARK), later(), added::add));
        memcachedConnection.send(new GetsCommand(MemcachedEncoding.gets(rig.keys.epoch()), later(), shown::add));
        channel.runPendingTasks();
        assertThat(written()).startsWith("stats\r\nadd test:1:epoch ").endsWith("gets test:1:epoch\r\n");
        PendingAdd add = begin(1).get(0);

        receive("STAT evictions 3\r\nSTAT x 1\r\nEND\r\n" + STORED + "END\r\n" + NOT_STORED);

        assertThat(evicted).containsExactly(3L);
        assertThat(added).containsExactly(StoreReply.STORED);
        assertThat(shown).extracting(GetsReply.Response::reply).containsExactly(StoreReply.NOT_STORED);
        assertThat(add.result()).isEqualTo(SpendResult.SPENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ERROR\r\n", "CLIENT_ERROR bad data chunk\r\n", "\r\n", "SER\n", "STORE\r\n", "not stored\r\n"})
    void endsTheConnectionOnWhatIsNoResponseToASpend(String text) {
        List<PendingAdd> attempts = begin(3);

        receive(STORED + text + STORED);

        assertThat(results(attempts)).as("the mark never came").containsOnly(SpendResult.UNKNOWN);
        assertThat(attempts.get(0).reply()).as("to be given back").isEqualTo(StoreReply.STORED);
        assertThat(attempts.get(1).reply()).isEqualTo(StoreReply.REFUSED);
        assertThat(attempts.get(2).reply()).isEqualTo(StoreReply.LOST);
        assertEnded();
    }

    @Test
    void endsTheConnectionOnALineThatDoesNotEnd() {
        PendingAdd add = begin(1).get(0);

        receive("x".repeat(2048));
        assertThat(channel.isActive()).isTrue();
        receive("x");

        assertThat(add.reply()).isEqualTo(StoreReply.LOST);
        assertEnded();
    }

    @Test
    void endsTheConnectionOnAResponseThatNobodyAskedFor() {
        begin(1);

        receive(STORED + SHOWN + "S");

        assertEnded();
    }

    @Test
    void hasAPlaceForSoManyAndForAnotherWhenOneIsSettled() {
        for (int i = 0; i < MemcachedConnection.MAX_IN_FLIGHT - 1; i++) {
            assertThat(memcachedConnection.enter()).isTrue();
        }
        begin(1);
        assertThat(memcachedConnection.inFlight()).isEqualTo(MemcachedConnection.MAX_IN_FLIGHT);
        assertThat(memcachedConnection.enter()).isFalse();

        receive(STORED);

        assertThat(memcachedConnection.inFlight()).isEqualTo(MemcachedConnection.MAX_IN_FLIGHT - 1);
        assertThat(memcachedConnection.enter()).isTrue();
        assertThat(memcachedConnection.enter()).isFalse();
    }

    @Test
    void tellsAllThatWaitWhenTheConnectionEnds() {
        List<PendingAdd> attempts = begin(3);
        List<StoreReply> command = new ArrayList<>();
        memcachedConnection.send(
                new StoreCommand(MemcachedEncoding.set(rig.keys.epoch(), Rig.MARK), later(), command::add));
        channel.runPendingTasks();
        receive(NOT_STORED);

        channel.close();

        assertThat(results(attempts)).containsExactly(SpendResult.SPENT, SpendResult.UNKNOWN, SpendResult.UNKNOWN);
        assertThat(attempts.subList(1, 3)).extracting(PendingAdd::reply).containsOnly(StoreReply.LOST);
        assertThat(command).containsExactly(StoreReply.LOST);
        assertThat(memcachedConnection.inFlight()).isZero();
        assertEnded();
    }

    @Test
    void sendsNothingOnceTheConnectionHasEnded() {
        channel.close();
        List<StoreReply> command = new ArrayList<>();

        PendingAdd add = begin(1).get(0);

        assertThat(add.reply()).isEqualTo(StoreReply.UNSENT);
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(memcachedConnection.inFlight()).isZero();
        assertThat(memcachedConnection.send(
                        new StoreCommand(MemcachedEncoding.set(rig.keys.epoch(), Rig.MARK), later(), command::add)))
                .isFalse();
        assertThat(command).isEmpty();
    }

    @Test
    void tellsACommandThatWasTakenJustBeforeTheEnd() {
        List<StoreReply> command = new ArrayList<>();
        assertThat(memcachedConnection.send(
                        new StoreCommand(MemcachedEncoding.set(rig.keys.epoch(), Rig.MARK), later(), command::add)))
                .isTrue();

        channel.unsafe().closeForcibly();
        channel.runPendingTasks();

        assertThat(command).containsExactly(StoreReply.UNSENT);
    }

    @Test
    void writesNoCommandWhoseTimeIsOver() {
        List<StoreReply> command = new ArrayList<>();

        memcachedConnection.send(
                new StoreCommand(MemcachedEncoding.set(rig.keys.epoch(), Rig.MARK), System.nanoTime(), command::add));
        channel.runPendingTasks();

        assertThat(command).containsExactly(StoreReply.UNSENT);
        assertThat(written()).isEmpty();
        PendingAdd add = begin(1).get(0);
        receive(STORED + SHOWN);
        assertThat(add.result()).as("nothing else waits for a response").isEqualTo(SpendResult.FRESH);
    }

    @Test
    void writesWhatAPassAsksInOnePieceAndTheNextPassAgain() {
        for (int spends : new int[] {3, 2}) {
            begin(spends);
            assertThat(channel.outboundMessages()).hasSize(1);
            String written = written();
            assertThat(written.split("add test:1:", -1)).hasSize(1 + spends);
            assertThat(written.split(GETS_MARK, -1)).hasSize(1 + 1);
            assertThat(written).as("behind all spends").endsWith(GETS_MARK);
        }
    }

    @Test
    void writesAtOnceWhatIsMuch() {
        int length = "add test:1:".length() + 22 + " 0 602 16\r\n".length() + 16 + 2;
        int many = 64 * 1024 / length + 1;
        for (int i = 0; i < many - 1; i++) {
            memcachedConnection.spend(rig.attempt(server));
        }
        assertThat(channel.outboundMessages()).isEmpty();
        memcachedConnection.spend(rig.attempt(server));
        assertThat(channel.outboundMessages()).hasSize(1);

        assertThat(written()).hasSize(many * length + GETS_MARK.length());
        channel.runPendingTasks();
        assertThat(written()).isEmpty();
    }

    @Test
    void isFreshOnlyWhenTheServerStillShowsItsMark() {
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
    void isNotFreshWhenTheServerShowsAnotherMarkOrNone(String shown) {
        List<PendingAdd> before = begin(2);
        List<PendingAdd> after = begin(2);
        receive(STORED + NOT_STORED + SHOWN + STORED + NOT_STORED);
        assertThat(results(before)).containsExactly(SpendResult.FRESH, SpendResult.SPENT);

        shown.chars().mapToObj(Character::toString).forEach(this::receive);

        assertThat(results(after)).containsExactly(SpendResult.UNKNOWN, SpendResult.SPENT);
        assertThat(after.get(0).reply()).isEqualTo(StoreReply.STORED);
        assertThat(connection.mark())
                .as("nothing is sent until it is verified anew")
                .isNull();
        assertThat(received).containsExactly("established", "doubt");
        List<PendingAdd> healed = begin(1);
        connection.mark(Rig.MARK);
        receive(STORED + SHOWN);
        assertThat(results(healed)).containsExactly(SpendResult.FRESH);
    }

    @Test
    void keepsTheVerifiedMarkWhenTheConnectionEndsBeforeTheReply() {
        PendingAdd add = begin(1).get(0);
        receive(STORED + SHOWN.substring(0, 20));

        channel.close();

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(add.reply()).isEqualTo(StoreReply.STORED);
        assertThat(received).as("no doubt about the server's memory").containsExactly("established", "lost");
    }

    @Test
    void responsesEachOnceWhenTheFirstThatIsToldClosesTheConnection() {
        memcachedConnection.enter();
        PendingAdd closing = rig.attempt(server, rig.token(), told -> {
            rig.responses.add(told);
            channel.close();
        });
        memcachedConnection.spend(closing);
        List<PendingAdd> others = begin(2);

        receive(STORED + STORED + STORED + SHOWN);

        assertThat(rig.responses).hasSize(3).doesNotHaveDuplicates();
        assertThat(closing.result()).isEqualTo(SpendResult.FRESH);
        assertThat(results(others)).as("their reply had come").containsOnly(SpendResult.FRESH);
        assertThat(memcachedConnection.inFlight()).isZero();
    }

    @Test
    void releasesWhatItGatheredWhenTheConnectionEndsBeforeItGoes() {
        UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
        channel.config().setAllocator(buffers);
        memcachedConnection.enter();
        PendingAdd add = rig.attempt(server);
        memcachedConnection.spend(add);
        assertThat(buffers.metric().usedDirectMemory()).isPositive();

        channel.pipeline().remove(memcachedConnection);

        assertThat(buffers.metric().usedDirectMemory()).isZero();
        assertThat(add.reply()).isEqualTo(StoreReply.LOST);
        assertThat(memcachedConnection.inFlight()).isZero();
        assertThat(memcachedConnection.alive()).isFalse();
    }

    @Test
    void isWorthNothingAfterItWasClosed() {
        assertThat(memcachedConnection.alive()).isTrue();

        memcachedConnection.close();

        assertThat(connection.mark()).isNull();
        assertThat(channel.isActive()).isFalse();
        assertEnded();
    }

    @Test
    void takesTheMarkBackBeforeTheConnectionHasEnded() {
        PendingAdd add = begin(1).get(0);
        List<byte[]> markWhenTold = new ArrayList<>();
        channel.closeFuture().addListener(closed -> markWhenTold.add(connection.mark()));

        memcachedConnection.close();

        assertThat(markWhenTold).containsExactly((byte[]) null);
        assertThat(add.reply()).isEqualTo(StoreReply.LOST);
    }

    private void assertEnded() {
        assertThat(channel.isActive()).isFalse();
        assertThat(memcachedConnection.alive()).isFalse();
        assertThat(connection.connected()).isFalse();
        assertThat(received).filteredOn(subject -> !subject.equals("failed")).containsExactly("established", "lost");
    }

    private List<PendingAdd> begin(int count) {
        List<PendingAdd> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PendingAdd add = rig.attempt(server);
            begun.add(add);
            memcachedConnection.enter();
            memcachedConnection.spend(add);
        }
        channel.runPendingTasks();
        return begun;
    }

    private void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
    }

    private String written() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            text.append(next.toString(ISO_8859_1));
            next.release();
        }
        return text.toString();
    }

    private static long later() {
        return System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    }

    private static List<SpendResult> results(List<PendingAdd> attempts) {
        return attempts.stream().map(PendingSpend::result).toList();
    }
}
