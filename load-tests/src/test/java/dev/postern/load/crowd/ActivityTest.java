package dev.postern.load.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.crowd.Register.Activity;
import dev.postern.load.crowd.Stretches.Change;
import org.junit.jupiter.api.Test;

class ActivityTest {
    private final Activity activity = new Activity(100);

    @Test
    void countsSessionsBetweenFirstAndLastRequest() {
        visit("a", 10, 50);
        visit("b", 20, 60);
        visit("c", 55, 70);
        assertThat(peak(0)).isEqualTo(2);
    }

    @Test
    void countsSessionsThatStartAndEndAtOneInstantTogether() {
        visit("a", 10, 50);
        visit("b", 50, 60);
        assertThat(peak(0)).isEqualTo(2);
    }

    @Test
    void ignoresRequestsInTransitWhenThePassEnded() {
        activity.served("a", 9, 10);
        activity.served("b", 49, 51);
        activity.served("b", 60, 61);
        activity.served("a", 48, 55); // sent before b is active, served while b is active
        assertThat(peak(0)).isEqualTo(1);
    }

    @Test
    void excludesSilentSessionsUntilTheyReturn() {
        visit("a", 10, 50);
        visit("b", 70, 120);
        activity.served("a", 151, 152);
        activity.served("a", 200, 201);
        assertThat(peak(0)).isEqualTo(1);
        assertThat(activity.stretches().starts(0, Long.MAX_VALUE)).containsExactly(10L, 70L, 152L);
    }

    @Test
    void bridgesShortSilence() {
        visit("a", 10, 50);
        visit("b", 70, 120);
        activity.served("a", 150, 152);
        assertThat(peak(0)).isEqualTo(2);
    }

    @Test
    void countsFromAnInstant() {
        visit("a", 10, 50);
        visit("b", 20, 50);
        visit("c", 40, 90);
        assertThat(peak(0)).isEqualTo(3);
        assertThat(peak(51)).isEqualTo(1);
    }

    @Test
    void countsUpToAnInstant() {
        visit("a", 10, 50);
        visit("b", 60, 90);
        visit("c", 70, 90);
        assertThat(activity.stretches().peak(0, 65)).isEqualTo(1);
        assertThat(activity.stretches().starts(50, 70)).containsExactly(60L);
    }

    @Test
    void listsTheChangesOfTheNumberOfSessions() {
        visit("a", 10, 50);
        visit("b", 50, 60);
        assertThat(activity.stretches().changes(0, Long.MAX_VALUE))
                .containsExactly(new Change(10, 1), new Change(50, 2), new Change(50, 1), new Change(60, 0));
    }

    private int peak(long from) {
        return activity.stretches().peak(from, Long.MAX_VALUE);
    }

    private void visit(String session, long first, long last) {
        activity.served(session, first, first);
        activity.served(session, last, last);
    }
}
