package dev.postern.app.flame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postern.app.profile.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlameTreeTest {

    /** The bar at the end of that way. */
    private static FlameNode at(FlameNode all, String... names) {
        FlameNode at = all;
        for (String name : names) {
            at = at.children().stream()
                    .filter(child -> child.frame().name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name));
        }
        return at;
    }

    @Test
    void mergesStacksByTheirBeginnings() {
        FlameNode all = FlameTree.of(Stacks.of("t;a;b 3", "t;a;c 4", "t;a 1", "u;a;b 2"));

        assertThat(all.now()).isEqualTo(10);
        assertThat(at(all, "t").now()).isEqualTo(8);
        assertThat(at(all, "t", "a").now()).isEqualTo(8);
        assertThat(at(all, "t", "a", "b").now()).isEqualTo(3);
        assertThat(at(all, "t", "a", "c").now()).isEqualTo(4);
        assertThat(at(all, "u", "a", "b").now()).isEqualTo(2);
        assertThat(all.size()).isEqualTo(8);
        assertThat(all.before()).isZero();
    }

    @Test
    void oneFrameTwiceInARowIsTwoBars() {
        assertThat(at(FlameTree.of(Stacks.of("t;a;a 5")), "t", "a", "a").now()).isEqualTo(5);
    }

    @Test
    void staysSmallHoweverManyStacksThereAreAndLosesNoWeight() {
        Map<List<Frame>, Long> many = new HashMap<>(Stacks.of("t;hot;path 1000000"));
        for (int i = 0; i < 4 * FlameTree.MAX; i++) {
            many.put(Stacks.stack("t;cold;leaf" + i), 1L + i % 7);
        }

        FlameNode all = FlameTree.of(many);

        assertThat(all.size()).isLessThanOrEqualTo(FlameTree.MAX);
        assertThat(at(all, "t", "hot", "path").now()).isEqualTo(1_000_000);
        assertThat(all.now())
                .isEqualTo(many.values().stream().mapToLong(Long::longValue).sum());
        assertThat(at(all, "t", "cold").now()).isEqualTo(all.now() - 1_000_000);
    }

    @Test
    void onlyTheNarrowestBarsAreLeftOut() {
        Map<List<Frame>, Long> many = new HashMap<>();
        for (int i = 0; i < FlameTree.MAX - 10; i++) {
            many.put(Stacks.stack("t;wide" + i), 100L);
            many.put(Stacks.stack("t;narrow" + i), 20L);
        }

        FlameNode all = FlameTree.of(many);

        assertThat(at(all, "t").children())
                .hasSize(FlameTree.MAX - 10)
                .allMatch(bar -> bar.frame().name().startsWith("wide"));
    }

    @Test
    void differenceIsOfSharesSoThatAGraphOfTwiceTheTimeIsTheSame() {
        FlameNode once = FlameTree.of(Stacks.of("t;a 30", "t;b 10"));
        FlameNode twice = FlameTree.of(Stacks.of("t;a 60", "t;b 20"));

        FlameNode all = FlameTree.difference(once, twice);

        assertThat(at(all, "t", "a").before()).isEqualTo(at(all, "t", "a").now());
        assertThat(at(all, "t", "b").before()).isEqualTo(at(all, "t", "b").now());
    }

    @Test
    void differenceTellsWhatGrewWhatShrankWhatCameAndWhatWent() {
        FlameNode before = FlameTree.of(Stacks.of("t;a 50", "t;b 30", "t;gone 20"));
        FlameNode now = FlameTree.of(Stacks.of("t;a 70", "t;b 10", "t;came 20"));

        FlameNode all = FlameTree.difference(before, now);

        double whole = all.now();
        assertThat(all.before()).isEqualTo(all.now());
        assertThat((at(all, "t", "a").now() - at(all, "t", "a").before()) / whole)
                .isCloseTo(0.2, within(1e-6));
        assertThat((at(all, "t", "b").now() - at(all, "t", "b").before()) / whole)
                .isCloseTo(-0.2, within(1e-6));
        assertThat(at(all, "t", "gone").now()).isZero();
        assertThat(at(all, "t", "gone").before() / whole).isCloseTo(0.2, within(1e-6));
        assertThat(at(all, "t", "came").before()).isZero();
    }

    @Test
    void nothingIsAGraphToo() {
        FlameNode none = FlameTree.of(Map.of());

        assertThat(none.size()).isEqualTo(1);
        assertThat(FlameTree.difference(none, none).size()).isEqualTo(1);
    }
}
