package dev.postern.core.upstream.share;

import static dev.postern.core.upstream.share.Activity.Kind.CLIENT;
import static dev.postern.core.upstream.share.Activity.Kind.OPEN;
import static dev.postern.core.upstream.share.Activity.Kind.UPSTREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.upstream.share.PreemptionRule.Decision;
import dev.postern.core.upstream.share.PreemptionRule.Ended;
import dev.postern.core.upstream.share.PreemptionRule.Held;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests who is ended for exchanges that wait, with a maximum share of 25%. */
class PreemptionRuleTest {

    private static final long SECOND = 1_000_000_000;

    private final PreemptionRule rule = new PreemptionRule(0.25);
    private final List<Held<String>> held = new ArrayList<>();

    private static AddressPrefix network(String address) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
        try {
            return ClientNetworks.WELL_KNOWN.client(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }

    private void hold(String name, String network, Activity.Kind kind, double seconds, double heldSeconds) {
        held.add(new Held<>(
                network(network), new Activity(kind, (long) (seconds * SECOND)), (long) (heldSeconds * SECOND), name));
    }

    private Decision<String> decide(String... waiting) {
        return rule.decide(
                held, Arrays.stream(waiting).map(PreemptionRuleTest::network).toList());
    }

    private static List<String> names(Decision<String> decision) {
        return decision.ended().stream().map(Ended::holder).toList();
    }

    @Test
    void endsNobodyWithoutWaiters() {
        hold("idle", "10.0.0.1", CLIENT, 3600, 3600);
        assertThat(decide().ended()).isEmpty();
    }

    @Test
    void endsTheLongestClientWaitsFirstOneForEachWaiter() {
        hold("short", "10.0.0.1", CLIENT, 4.9, 60);
        hold("long", "10.0.0.2", CLIENT, 9, 60);
        hold("upstream", "10.0.0.3", UPSTREAM, 50, 60);
        hold("open", "10.0.0.4", OPEN, 50, 60);
        hold("middle", "10.0.0.5", CLIENT, 6, 60);
        assertThat(names(decide("10.0.0.9"))).containsExactly("long");
        assertThat(names(decide("10.0.0.9", "10.0.0.9", "10.0.0.9", "10.0.0.9")))
                .containsExactly("long", "middle");
    }

    @Test
    void aWaiterOfTheSameNetworkEndsOnlyClientWaits() {
        for (int i = 0; i < 8; i++) {
            hold("open", "10.0.0.1", OPEN, 60, 60);
            hold("brief", "10.0.0.1", CLIENT, 4, 60);
        }
        assertThat(decide("10.0.0.1").ended()).isEmpty();
        hold("stalled", "10.0.0.1", CLIENT, 5, 60);
        assertThat(names(decide("10.0.0.1"))).containsExactly("stalled");
    }

    @Test
    void aNetworkBeyondItsShareGivesUpWhatWaitsForItsClientThenWhatIsSilentThenWhatIsOld() {
        hold("running", "10.0.0.1", UPSTREAM, 1, 1);
        hold("moving", "10.0.0.1", OPEN, 0.1, 1);
        hold("old", "10.0.0.1", UPSTREAM, 6, 6);
        hold("older", "10.0.0.1", OPEN, 0.1, 60);
        hold("silent", "10.0.0.1", OPEN, 1, 1);
        hold("body", "10.0.0.1", CLIENT, 0.3, 1);
        hold("sending", "10.0.0.1", CLIENT, 0.1, 1);
        hold("other", "10.0.0.2", OPEN, 60, 60);
        assertThat(names(decide("10.0.0.3"))).containsExactly("body");
        assertThat(names(decide("10.0.0.3", "10.0.0.4", "10.0.0.3", "10.0.0.4", "10.0.0.3", "10.0.0.4")))
                .as("nothing that runs, and down to the share")
                .containsExactly("body", "silent", "older", "old");
        assertThat(decide("10.0.0.3").ended()).extracting(Ended::cause).containsExactly(Preemption.SHARE);
    }

    @Test
    void endsNothingBelowTheShare() {
        for (int i = 0; i < 8; i++) {
            hold("a" + i, "10.0.0." + i / 2, OPEN, 60, 60);
        }
        Decision<String> decision = decide("10.0.1.1", "10.0.1.1");
        assertThat(decision.ended()).isEmpty();
        assertThat(decision.full()).hasSize(4);
    }

    @Test
    void addressesOfOneIpv6NetworkAreOneClient() {
        for (int i = 0; i < 8; i++) {
            hold("six" + i, "2001:db8::" + i, OPEN, 60 + i, 60);
        }
        assertThat(names(decide("2001:db8:0:1::1"))).containsExactly("six7");
        assertThat(decide("2001:db8::ffff").ended()).isEmpty();
    }

    @Test
    void aShareOfAllIsNoLimit() {
        for (int i = 0; i < 8; i++) {
            hold("all" + i, "10.0.0.1", OPEN, 60, 60);
        }
        Decision<String> decision = new PreemptionRule(1).decide(held, List.of(network("10.0.0.2")));
        assertThat(decision.ended()).isEmpty();
        assertThat(decision.full()).isEmpty();
    }

    @Test
    void theShareOfASmallPoolIsOne() {
        assertThat(rule.share(1)).isEqualTo(1);
        assertThat(rule.share(7)).isEqualTo(1);
        assertThat(rule.share(8)).isEqualTo(2);
    }
}
