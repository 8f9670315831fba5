package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.net.CidrSet;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class Http2MetersTest {

    @Test
    void countsEachLimitByItsLabel() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Http2Meters meters = new Http2Meters(registry, Ticker.newMockTicker());
        ClientConnection client = new ClientConnection(
                new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false),
                new EmbeddedChannel().eventLoop(),
                InetAddress.getLoopbackAddress(),
                4711,
                false);
        assertThat(registry.getMeters()).hasSize(AbuseLimit.values().length);
        meters.over(AbuseLimit.EMPTY_FRAMES, client);
        meters.over(AbuseLimit.EMPTY_FRAMES, client);
        meters.over(AbuseLimit.PINGS, client);

        assertThat(count(registry, "empty-frames")).isEqualTo(2);
        assertThat(count(registry, "pings")).isEqualTo(1);
        assertThat(count(registry, "resets")).isZero();
    }

    private static double count(SimpleMeterRegistry registry, String label) {
        return registry.getMeters().stream()
                .filter(meter -> label.equals(meter.getId().getTag("budget")))
                .flatMap(meter -> registry.find(meter.getId().getName()).tag("budget", label).counters().stream())
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}
