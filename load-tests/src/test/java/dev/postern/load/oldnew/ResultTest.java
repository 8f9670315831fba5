package dev.postern.load.oldnew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.postern.load.measure.Interval;
import dev.postern.load.oldnew.Result.Verdict;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.proxies.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static final int STARTS = 10;

    /** Creates two rounds of each start; the machine becomes slower from round to round. */
    private static Result result(double... ratioOfStarts) {
        List<Rounds> starts = new ArrayList<>();
        double old = 20;
        for (double ratio : ratioOfStarts) {
            Rounds rounds = new Rounds();
            for (int round = 0; round < 2; round++, old++) {
                rounds.add(Map.of(Result.OLD, turn(old), Result.NEW, turn(old * ratio)));
            }
            starts.add(rounds);
        }
        return Result.of(starts);
    }

    /** Returns ratios of starts, evenly spread over the given width. */
    private static double[] spread(double middle, double width) {
        double[] ratios = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            ratios[i] = middle + width * ((double) i / (STARTS - 1) - 0.5);
        }
        return ratios;
    }

    private static Turn turn(double micros) {
        return new Turn(micros, 1, 1, 1);
    }

    @Test
    void comparesWithinTheRoundWhateverTheMachineDoes() {
        Result result = result(spread(1.1, 0));

        assertThat(result.ratio().low()).isCloseTo(1.1, within(1e-9));
        assertThat(result.ratio().high()).isCloseTo(1.1, within(1e-9));
        assertThat(result.oldMicros()).isEqualTo(29.5);
        assertThat(result.newMicros()).isCloseTo(29.5 * 1.1, within(1e-9));
        assertThat(result.rounds()).isEqualTo(20);
    }

    /** If both rounds of each start are equal, ten starts of two rounds tell no more than ten rounds. */
    @Test
    void roundsOfOneStartCountOnce() {
        double[] ratios = spread(1, 0.1);

        assertThat(result(ratios).ratio().low()).isCloseTo(Interval.of(ratios).low(), within(0.001));
        assertThat(result(ratios).ratio().high()).isCloseTo(Interval.of(ratios).high(), within(0.001));
    }

    @Test
    void meetsTheGoalUnlessTheWholeIntervalLiesAboveIt() {
        assertThat(result(spread(0.9, 0)).verdict()).isEqualTo(Verdict.MET);
        assertThat(result(spread(1.02, 0)).verdict()).isEqualTo(Verdict.MET);
        assertThat(result(spread(1.05, 0.3)).verdict()).as("too noisy to tell").isEqualTo(Verdict.MET);
        assertThat(result(spread(1.05, 0.02)).verdict()).isEqualTo(Verdict.MISSED);
        assertThat(result(spread(1.03, 0)).verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void aNumberThatIsNoneMissesTheGoal() {
        Interval nothing = new Interval(Double.NaN, Double.NaN, Double.NaN);

        assertThat(new Result(0, 0, nothing, 20).verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void hasNoVerdictOnFewerThanTwentyRounds() {
        assertThat(result(1, 1, 1, 1, 1, 1, 1, 1, 1).verdict()).isEqualTo(Verdict.NONE);
        assertThat(result(2, 2, 2, 2, 2, 2, 2, 2, 2).verdict()).isEqualTo(Verdict.NONE);
    }

    @Test
    void refusesARoundWithoutOneOfTheBuilds() {
        Rounds rounds = new Rounds();
        rounds.add(Map.of(Result.NEW, turn(1)));

        assertThatThrownBy(() -> Result.of(List.of(rounds))).hasMessage("build: old (expected: one of [new])");
    }
}
