package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.UpstreamSplit.Part;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Tests that clients are split by weight, and keep their upstream. */
class UpstreamSplitTest {

    private static final int CLIENTS = 20_000;

    private static UpstreamSplit split(int app, int canary) {
        return new UpstreamSplit(List.of(new Part("app", app), new Part("canary", canary)), null);
    }

    /** Returns a client of neighbouring addresses. */
    private static AddressPrefix client(int number, boolean ipv6) {
        byte[] bytes = new byte[ipv6 ? 16 : 4];
        bytes[0] = 32;
        int at = ipv6 ? 5 : 1;
        bytes[at] = (byte) (number >> 16);
        bytes[at + 1] = (byte) (number >> 8);
        bytes[at + 2] = (byte) number;
        try {
            return AddressPrefix.ofClient(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> upstreams(UpstreamSplit split, boolean ipv6) {
        return IntStream.range(0, CLIENTS)
                .mapToObj(i -> split.upstream(UpstreamSplit.fraction(client(i, ipv6)), name -> false))
                .toList();
    }

    private static long canaries(UpstreamSplit split, boolean ipv6) {
        return upstreams(split, ipv6).stream().filter("canary"::equals).count();
    }

    @Test
    void sharesAreAsTheWeights() {
        for (boolean ipv6 : List.of(false, true)) {
            assertThat(canaries(split(95, 5), ipv6)).isCloseTo(CLIENTS / 20, Percentage.withPercentage(10));
            assertThat(canaries(split(1, 1), ipv6)).isCloseTo(CLIENTS / 2, Percentage.withPercentage(3));
            assertThat(canaries(split(1, 0), ipv6)).isZero();
            assertThat(canaries(split(0, 3), ipv6)).isEqualTo(CLIENTS);
        }
    }

    /** A canary that grows, whatever the sum of the weights is, keeps its clients. */
    @Test
    void clientsKeepTheirUpstreamWhenItsShareGrows() {
        List<String> few = upstreams(split(95, 5), false);
        assertThat(upstreams(split(95, 5), false)).isEqualTo(few);
        List<String> more = upstreams(split(3, 1), false);
        for (int i = 0; i < CLIENTS; i++) {
            if (few.get(i).equals("canary")) {
                assertThat(more.get(i)).isEqualTo("canary");
            }
        }
    }

    @Test
    void clientsOfAnUpstreamThatIsDownAreSpreadOverTheOthers() {
        UpstreamSplit split = new UpstreamSplit(List.of(new Part("a", 50), new Part("b", 25), new Part("c", 25)), null);
        long toA = 0;
        for (int i = 0; i < CLIENTS; i++) {
            double point = UpstreamSplit.fraction(client(i, false));
            String own = split.upstream(point, name -> false);
            String other = split.upstream(point, "c"::equals);
            if (own.equals("c")) {
                assertThat(other).isIn("a", "b");
                toA += other.equals("a") ? 1 : 0;
            } else {
                assertThat(other).as("an upstream that serves").isEqualTo(own);
            }
        }
        assertThat(toA).isCloseTo(CLIENTS / 4 * 2 / 3, Percentage.withPercentage(5));
    }

    @Test
    void theLastUpstreamThatServesGetsAll() {
        UpstreamSplit split = new UpstreamSplit(List.of(new Part("a", 1), new Part("b", 1), new Part("c", 1)), null);
        for (double point = 0; point < 1; point += 0.01) {
            assertThat(split.upstream(point, name -> !name.equals("b"))).isEqualTo("b");
        }
        assertThat(split.upstream(0.9, name -> true)).as("all are down").isEqualTo("c");
    }

    @Test
    void oneWeightIsNeeded() {
        assertThatThrownBy(() -> split(0, 0)).hasMessage("weights: none (expected: at least one above 0)");
    }
}
