package dev.postern.load.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postern.load.bench.RoomSeries.Turn;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.worker.Cost;
import dev.postern.load.worker.Decisions;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RoomTableTest {
    private final RoomGoals goals = new RoomGoals();

    @Test
    void comparesWithTheBestPeerOfTheSameRound() {
        RoomSeries ours = new RoomSeries("", question -> "", "", List.of(turn(800, 1), turn(900, 1)));
        RoomSeries one = new RoomSeries("", question -> "", "", List.of(turn(100, 1), turn(50, 1)));
        RoomSeries sixteen = new RoomSeries("", question -> "", "", List.of(turn(80, 1), turn(300, 1)));

        Spread ratio = ours.over(List.of(one, sixteen), Turn::perSecond);

        assertThat(ratio).isEqualTo(new Spread(5.5, 3, 8));
    }

    @Test
    void meetsEveryGoalExactly() {
        assertThat(table().status()).as("%s", table()).isZero();
    }

    @Test
    void missesEachGoalSeparately() {
        List<Consumer<RoomGoals>> faults = List.of(
                wanted -> wanted.waiting = 160_001,
                wanted -> wanted.admitted = 260_001,
                wanted -> wanted.ancestor = 8.1,
                wanted -> wanted.redisMicros = 4.9,
                wanted -> wanted.flat = 1.19,
                wanted -> wanted.bytes = 209,
                wanted -> wanted.memory = 2_000_001);

        for (Consumer<RoomGoals> fault : faults) {
            RoomTableTest planted = new RoomTableTest();
            fault.accept(planted.goals);
            assertThat(planted.table().status()).as("%s", planted.table()).isEqualTo(1);
        }
    }

    @Test
    void reportsShareOfTheCoreThatRedisUsed() {
        assertThat(turn(200_000, 4).redisMicros() * turn(200_000, 4).perSecond() / 1e6)
                .isCloseTo(0.8, within(1e-9));
    }

    private Table table() {
        RoomTurns turns = new RoomTurns(
                sorted(Map.of(1000, series(turn(160_000, 5)), 1_000_000, series(turn(160_000, 6)))),
                series(turn(260_000, 3)),
                sorted(Map.of(1000, series(turn(2_000_000, 0)))),
                series(turn(2_500_000, 0)),
                sorted(Map.of(1, series(turn(3000, 38)), 16, series(turn(20_000, 38)))),
                sorted(Map.of(16, series(turn(20_000, 36)))));
        return new RoomTable(turns, sorted(Map.of(1000, 900_000L, 1_000_000, 210_000_000L)), goals).table();
    }

    private static <V> SortedMap<Integer, V> sorted(Map<Integer, V> map) {
        return new TreeMap<>(map);
    }

    private static RoomSeries series(Turn turn) {
        return new RoomSeries("", question -> "", "", List.of(turn));
    }

    private static Turn turn(double perSecond, double redisMicros) {
        return new Turn(new Decisions(1000, 10, new Cost(perSecond, 2, 100)), redisMicros);
    }
}
