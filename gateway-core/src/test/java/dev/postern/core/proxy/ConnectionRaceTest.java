package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the race with promises in place of connections; the clock is that of the embedded channel. */
class ConnectionRaceTest {

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final List<InetSocketAddress> tried = new ArrayList<>();
    private final List<ChannelPromise> attempts = new ArrayList<>();
    private final ConnectionRace race = new ConnectionRace(loop.eventLoop(), address -> {
        tried.add(address);
        ChannelPromise attempt = new EmbeddedChannel().newPromise();
        attempts.add(attempt);
        return attempt;
    });

    ConnectionRaceTest() {
        loop.freezeTime();
    }

    private static InetSocketAddress address(String text) {
        try {
            return new InetSocketAddress(InetAddress.getByName(text), 443);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static List<InetSocketAddress> addresses(String... texts) {
        List<InetSocketAddress> all = new ArrayList<>();
        for (String text : texts) {
            all.add(address(text));
        }
        return all;
    }

    private void pass(long millis) {
        loop.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        loop.runScheduledPendingTasks();
    }

    @Test
    void alternatesBetweenFamilies() {
        assertThat(ConnectionRace.interleaved(
                        addresses("192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1", "2001:db8::2")))
                .isEqualTo(addresses("2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "192.0.2.3"));
    }

    @Test
    void triesAFewAddressesOnly() {
        List<InetSocketAddress> many = new ArrayList<>();
        for (int i = 1; i < 50; i++) {
            many.add(address("192.0.2." + i));
        }
        assertThat(ConnectionRace.interleaved(many)).hasSize(ConnectionRace.MAX_ATTEMPTS);
    }

    @Test
    void triesTheNextAddressAfterADelay() {
        Future<Channel> winner = race.start(addresses("2001:db8::1", "192.0.2.1"));
        assertThat(tried).hasSize(1);
        pass(ConnectionRace.DELAY_MILLIS);
        assertThat(tried).isEqualTo(addresses("2001:db8::1", "192.0.2.1"));

        attempts.get(1).setSuccess();

        assertThat(winner.getNow()).isEqualTo(attempts.get(1).channel());
        assertThat(attempts.get(0).channel().isOpen()).as("the slower one").isFalse();
        assertThat(attempts.get(1).channel().isOpen()).isTrue();
    }

    @Test
    void triesTheNextAddressAtOnceAfterAFailure() {
        Future<Channel> winner = race.start(addresses("2001:db8::1", "192.0.2.1"));
        attempts.get(0).setFailure(new ConnectException("refused"));
        assertThat(tried).hasSize(2);
        attempts.get(1).setSuccess();
        assertThat(winner.getNow()).isEqualTo(attempts.get(1).channel());
    }

    @Test
    void failsWithTheLastCause() {
        Future<Channel> winner = race.start(addresses("2001:db8::1", "192.0.2.1"));
        attempts.get(0).setFailure(new ConnectException("first"));
        assertThat(winner.isDone()).isFalse();
        attempts.get(1).setFailure(new ConnectException("second"));
        assertThat(winner.cause()).hasMessage("second");
    }

    @Test
    void waitsForTheLastAttempt() {
        Future<Channel> winner = race.start(addresses("2001:db8::1", "192.0.2.1"));
        pass(ConnectionRace.DELAY_MILLIS);
        attempts.get(1).setFailure(new ConnectException("refused"));
        assertThat(winner.isDone()).isFalse();
        attempts.get(0).setSuccess();
        assertThat(winner.getNow()).isEqualTo(attempts.get(0).channel());
    }

    @Test
    void closesAConnectionThatComesTooLate() {
        race.start(addresses("2001:db8::1", "192.0.2.1"));
        pass(ConnectionRace.DELAY_MILLIS);
        attempts.get(0).setSuccess();
        attempts.get(1).trySuccess();
        assertThat(attempts.get(1).channel().isOpen()).isFalse();
    }

    @Test
    void stopsWhenCancelled() {
        Future<Channel> winner = race.start(addresses("2001:db8::1", "192.0.2.1"));
        race.cancel();
        pass(10 * ConnectionRace.DELAY_MILLIS);
        assertThat(tried).hasSize(1);
        assertThat(attempts.get(0).channel().isOpen()).isFalse();
        assertThat(winner.isSuccess()).isFalse();
    }

    @Test
    void keepsTheWinnerWhenCancelledLater() {
        race.start(addresses("192.0.2.1"));
        attempts.get(0).setSuccess();
        race.cancel();
        assertThat(attempts.get(0).channel().isOpen()).isTrue();
    }

    @Test
    void failsWithoutAnAddress() {
        assertThat(race.start(List.of()).cause()).isInstanceOf(UnknownHostException.class);
    }
}
