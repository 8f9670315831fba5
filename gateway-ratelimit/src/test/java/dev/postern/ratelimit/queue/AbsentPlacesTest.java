package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AbsentPlaces.Place;
import org.junit.jupiter.api.Test;

class AbsentPlacesTest {

    private static final int BOUND = 3;

    private final AbsentPlaces places = new AbsentPlaces(new NetworkPlaces());

    private void put(String session, long lastRequest) {
        places.put(new Place(session, 7, lastRequest, "net"), BOUND);
    }

    @Test
    void theLongestSilentGoesFirst() {
        put("b", 20);
        put("a", 30);
        put("c", 10);
        put("d", 20);
        assertThat(places.get("c")).isNull();
        put("e", 20);
        assertThat(places.get("b")).as("by name, of the same silence").isNull();
        put("f", 5);
        assertThat(places.get("f")).as("the newest entry is the longest silent").isNull();
        assertThat(places.size()).isEqualTo(BOUND);
    }

    @Test
    void aLaterReportReplacesAnEarlierOne() {
        put("a", 10);
        Place place = places.get("a");
        assertThat(place).isNotNull();
        places.put(place.heard(20), BOUND);
        places.put(place.heard(5), BOUND);
        assertThat(places.size()).isOne();
        assertThat(places.get("a")).isEqualTo(new Place("a", 7, 10, "net"));
        places.dropSilentSince(9);
        assertThat(places.size()).isOne();
        places.dropSilentSince(10);
        assertThat(places.size()).isZero();
    }

    @Test
    void oneStepDropsABoundedNumber() {
        int many = 2 * RoomRules.PURGE;
        for (int i = 0; i < many; i++) {
            places.put(new Place("s" + i, i, 1, "net"), many);
        }
        places.dropSilentSince(1);
        assertThat(places.size()).isEqualTo(RoomRules.PURGE);
        assertThat(places.remove("s0")).isNull();
    }

    @Test
    void aSmallerBoundIsReachedByBoundedSteps() {
        int many = 2 * RoomRules.PURGE;
        for (int i = 0; i < many; i++) {
            places.put(new Place("s" + i, i, 1, "net"), many);
        }
        places.put(new Place("last", many, 2, "net"), 1);
        assertThat(places.size()).isEqualTo(many + 1 - RoomRules.PURGE);
    }
}
