package dev.postern.load.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.bench.RoomSeries.Kind;
import dev.postern.load.bench.RoomSeries.Turn;
import dev.postern.load.measure.Cost;
import dev.postern.load.measure.Table;
import dev.postern.load.worker.Decisions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RoomTableTest {
    private static final int BATCH = 64;

    private Turn shortest = room(160_000, 5);
    private Turn longest = room(144_000, 5.625);
    private Turn recorded = room(144_000, 5.625);
    private Turn admitted = room(160_000, 5);
    private Turn empty = turn(7_500, 120, 1);
    private Turn memoryShortest = turn(1_500_000, 0, 1);
    private Turn memoryLongest = turn(750_000, 0, 1);

    @Test
    void comparesWithTheSameRound() {
        RoomSeries ours = series(Kind.WAITING, 1, turn(800, 1, 1), turn(900, 1, 1));
        RoomSeries other = series(Kind.WAITING, 1, turn(100, 1, 1), turn(300, 1, 1));

        assertThat(ours.over(other, Turn::perSecond).median()).isEqualTo(5.5);
    }

    @Test
    void comparesCallsWithCallsNotDecisions() {
        assertThat(longest.callsPerSecond()).isEqualTo(2_250);
        assertThat(longest.redisMicrosPerCall()).isEqualTo(360);
    }

    @Test
    void meetsEveryGoalExactly() {
        assertThat(table().status()).as("%s", table()).isZero();
    }

    @Test
    void missesTheGoalsOfTheSeriesThatIsSlow() {
        Map<Consumer<RoomTableTest>, Long> faults = Map.of(
                slow -> slow.longest = room(140_000, 5.625), 2L, // also the ratio to the shortest line
                slow -> slow.recorded = room(140_000, 5.625), 1L,
                slow -> slow.admitted = room(140_000, 5), 1L,
                slow -> slow.recorded = room(144_000, 5.7), 1L,
                slow -> slow.admitted = room(160_000, 5.7), 1L,
                slow -> slow.empty = turn(7_600, 120, 1), 2L,
                slow -> slow.memoryShortest = turn(1_499_999, 0, 1), 1L,
                slow -> slow.memoryLongest = turn(749_999, 0, 1), 1L);

        faults.forEach((fault, rows) -> {
            RoomTableTest planted = new RoomTableTest();
            fault.accept(planted);
            assertThat(missed(planted)).as("%s", planted.table()).isEqualTo(rows);
            assertThat(planted.table().status()).isEqualTo(1);
        });
    }

    @Test
    void comparesLengthsOnlyWhereThereAreTwo() {
        List<RoomSeries> one = all(List.of(series(Kind.WAITING, 1_000_000, longest)));

        assertThat(new RoomTable(one, Map.of()).table().toString()).doesNotContain("1,000,000 / ");
        assertThat(table().toString()).contains("1,000,000 / 10,000 waiting (paired)");
    }

    private static long missed(RoomTableTest test) {
        return test.table()
                .toString()
                .lines()
                .filter(row -> row.contains("MISSED"))
                .count();
    }

    private Table table() {
        List<RoomSeries> waiting =
                List.of(series(Kind.WAITING, 10_000, shortest), series(Kind.WAITING, 1_000_000, longest));
        return new RoomTable(all(waiting), Map.of(1_000_000, 210_000_000L)).table();
    }

    private List<RoomSeries> all(List<RoomSeries> waiting) {
        List<RoomSeries> all = new ArrayList<>(waiting);
        all.addAll(List.of(
                series(Kind.RECORDED, 10_000, recorded),
                series(Kind.ADMITTED, 1_000, admitted),
                series(Kind.EMPTY, 0, empty),
                series(Kind.MEMORY, 10_000, memoryShortest),
                series(Kind.MAP, 10_000, turn(5_000_000, 0, 1)),
                series(Kind.MEMORY, 1_000_000, memoryLongest),
                series(Kind.MAP, 1_000_000, turn(2_500_000, 0, 1)),
                series(Kind.MEMORY_ADMITTED, 1_000, turn(2_500_000, 0, 1))));
        return all;
    }

    private static RoomSeries series(Kind kind, int size, Turn... turns) {
        return new RoomSeries(kind, size, question -> turns[0].decisions(), List.of(), "", List.of(turns));
    }

    private static Turn room(double perSecond, double redisMicros) {
        return turn(perSecond, redisMicros, BATCH);
    }

    private static Turn turn(double perSecond, double redisMicros, double perTrip) {
        return new Turn(new Decisions(6400, (long) (6400 / perTrip), new Cost(perSecond, 2, 100)), redisMicros);
    }
}
