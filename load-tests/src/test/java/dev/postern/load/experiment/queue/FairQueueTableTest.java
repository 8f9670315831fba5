package dev.postern.load.experiment.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.crowd.Stretches;
import dev.postern.load.crowd.Stretches.Stretch;
import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Table.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairQueueTableTest {
    private static final int REQUESTS = 1000;
    private static final int ALL = 10_000;
    private static final int PAGES = 60;
    private static final int VISITORS = 250;

    private Served impatient = new Served(Variant.QUEUE_MEMORY, 5064, 5064, ALL, 42);
    private Served polite = new Served(Variant.QUEUE_MEMORY, ALL, ALL, ALL, 90);
    private PageCount pages = new PageCount(Variant.QUEUE_MEMORY, PAGES, 0, PAGES, 16);
    private PageCount pagesAtLimit = new PageCount(Variant.LIMIT_MEMORY, 0, PAGES, PAGES, 60);
    private List<Integer> order = inOrder(VISITORS);
    private int sessions = Room.ACTIVE;

    @Test
    void meetsAllGoals() {
        assertThat(table().rows()).extracting(Row::verdict).doesNotContain("MISSED");
        assertThat(table().status()).isZero();
    }

    @Test
    void missesTooFewServedRequests() {
        impatient = new Served(Variant.QUEUE_MEMORY, 4899, 4899, ALL, 42);
        assertThat(missed()).containsExactly("queue, memory: responses 200");
    }

    @Test
    void missesRequestsThatOnlyTheClientsCounted() {
        polite = new Served(Variant.QUEUE_MEMORY, ALL - 1, ALL, ALL, 90);
        assertThat(missed()).containsExactly("polite clients, queue, memory: responses 200");
    }

    @Test
    void missesAPageWithoutAnAsset() {
        pages = new PageCount(Variant.QUEUE_MEMORY, PAGES - 1, 1, PAGES, 16);
        assertThat(missed()).containsExactly("queue, memory: whole pages");
    }

    @Test
    void missesWholePagesWithoutAQueue() {
        pagesAtLimit = new PageCount(Variant.LIMIT_MEMORY, 3, 57, PAGES, 60);
        assertThat(missed()).containsExactly("limit, memory: whole pages");
    }

    @Test
    void missesASessionAboveTheBound() {
        sessions = Room.ACTIVE + 1;
        assertThat(missed())
                .containsExactly("queue, memory: admitted sessions at once", "queue, Redis: admitted sessions at once");
    }

    @Test
    void missesSessionsThatWereNeverTogether() {
        sessions = 1;
        assertThat(missed()).hasSize(2);
    }

    @Test
    void missesAVisitorThatWasNotAdmitted() {
        order = inOrder(VISITORS - 1);
        assertThat(missed()).containsExactly("queue, memory: arrivals admitted");
    }

    @Test
    void missesAnotherOrderThanThatOfArrival() {
        order = inOrder(VISITORS);
        Collections.reverse(order.subList(0, 20)); // 190 of 31,125 pairs: 0.9878
        assertThat(missed()).containsExactly("queue, memory: Kendall's tau of arrival and admission");
    }

    @Test
    void missesAnOrderWithoutVisitors() {
        order = List.of();
        assertThat(missed()).hasSize(2);
    }

    private List<String> missed() {
        return table().rows().stream()
                .filter(row -> row.verdict().equals("MISSED"))
                .map(Row::figure)
                .toList();
    }

    private Table table() {
        Results results = new Results(
                List.of(new Served(Variant.NGINX, 6, 6, ALL, 0.7), impatient),
                List.of(polite),
                List.of(pagesAtLimit, pages),
                List.of(new Admissions(Variant.QUEUE_MEMORY, order, VISITORS)),
                List.of(sessions(Variant.QUEUE_MEMORY), sessions(Variant.QUEUE_REDIS)));
        return new FairQueueTable(results, REQUESTS).table();
    }

    private Sessions sessions(Variant variant) {
        List<Stretch> together = IntStream.range(0, sessions)
                .mapToObj(number -> new Stretch(10 + number, 50 + number, "room-" + number))
                .toList();
        return new Sessions(new Room(Load.POLITE, variant), new Stretches(together));
    }

    private static List<Integer> inOrder(int size) {
        return new ArrayList<>(IntStream.range(0, size).boxed().toList());
    }
}
