package dev.postern.ratelimit.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TicketCookieTest {

    private static final long SECOND = 1_000_000;
    private static final long NOW = 1_000_000 * SECOND;
    private static final RoomRules RULES =
            new RoomRules(5, 600 * SECOND, 60 * SECOND, 20 * SECOND, 100, new Gcra(SECOND, 0));
    private static final byte[] CLIENT = {1, 2, 3};
    /** More rooms than one browser can have cookies of. */
    private static final int MANY = 100;

    private final KeyRing ring = KeyRing.random();
    private final TicketCookie cookies = new TicketCookie(() -> ring.seal("ticket"));
    /** Cookies of a browser: values by name. */
    private final Map<String, String> jar = new LinkedHashMap<>();

    private static TicketBinding room(int number) {
        return room("room" + number, CLIENT);
    }

    private static TicketBinding room(String id, byte[] client) {
        return TicketBinding.of(new RoomKey(id, id, RULES), client);
    }

    private static Ticket pass(long end) {
        return Ticket.fresh(1).holding(new Claim(7, 0, NOW, end, end + 500 * SECOND));
    }

    private static Ticket place(long ticket, long seen) {
        return Ticket.fresh(1).holding(new Claim(7, ticket, seen, 0, 0));
    }

    private static RequestHead request(List<String> fields) {
        RequestHead head = new RequestHead();
        fields.forEach(field -> head.add(FieldName.COOKIE, field));
        return head;
    }

    private List<String> pairs() {
        return jar.entrySet().stream()
                .map(entry -> entry.getKey() + '=' + entry.getValue())
                .toList();
    }

    private RequestHead request() {
        return request(jar.isEmpty() ? List.of() : List.of(String.join("; ", pairs())));
    }

    private void store(String setCookie) {
        String[] pair = setCookie.split(";", 2)[0].split("=", 2);
        if (setCookie.contains("Max-Age=0")) {
            jar.remove(pair[0]);
        } else {
            jar.put(pair[0], pair[1]);
        }
    }

    /** Gives the browser a ticket as a request in the room would. Returns whether there was space. */
    private boolean enter(TicketBinding room, Ticket ticket, boolean secure) {
        TicketCookie.Space space = cookies.space(request(), secure, room, NOW);
        if (space.free()) {
            store(cookies.write(ticket, secure, room));
        }
        if (space.expire() != null) {
            store(space.expire());
        }
        return space.free();
    }

    private int bytes() {
        return String.join("; ", pairs()).length();
    }

    @Test
    void sevenRoomsHaveSevenCookies() {
        List<Ticket> tickets = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            tickets.add(i % 2 == 0 ? pass(NOW + SECOND) : place(100 + i, NOW));
            assertThat(enter(room(i), tickets.get(i), true)).isTrue();
        }

        assertThat(jar).hasSize(7).allSatisfy((name, value) -> assertThat(name).startsWith("__Host-postern-ticket-"));
        for (int i = 0; i < 7; i++) {
            assertThat(cookies.read(request(), true, room(i))).isEqualTo(tickets.get(i));
            assertThat(cookies.read(request(), false, room(i))).isNull();
        }
        assertThat(cookies.read(request(), true, room(7))).isNull();
    }

    @Test
    void cookiesAreFoundInFieldsOfOnePairEach() {
        Ticket[] tickets = {pass(NOW + SECOND), place(5, NOW)};
        enter(room(0), tickets[0], false);
        jar.put("a", "b");
        enter(room(1), tickets[1], false);

        assertThat(cookies.read(request(pairs()), false, room(0))).isEqualTo(tickets[0]);
        assertThat(cookies.read(request(pairs()), false, room(1))).isEqualTo(tickets[1]);
    }

    @Test
    void nameIsTheSameOnReplicasAndAfterARestart() {
        assertThat(room("site", CLIENT).suffix()).isEqualTo("uhdZ2mnb");
        assertThat(room("site", new byte[0]).suffix()).isEqualTo("uhdZ2mnb");
        assertThat(room("site~AAAAAAAAAAAAAAAA", CLIENT).suffix()).isNotEqualTo("uhdZ2mnb");
        store(cookies.write(pass(NOW), false, room(1)));
        assertThat(new TicketCookie(() -> ring.seal("ticket")).read(request(), false, room(1)))
                .isNotNull();
        assertThat(IntStream.range(0, 10_000).mapToObj(i -> room(i).suffix()).distinct())
                .hasSize(10_000);
    }

    @Test
    void countsOnlyForItsRoomAndClientAndUnderItsName() {
        TicketBinding mine = room("one", CLIENT);
        String value = cookies.write(pass(NOW), false, mine).split("[=;]")[1];
        String other = "postern-ticket-" + room("two", CLIENT).suffix() + '=' + value;

        assertThat(cookies.read(request(List.of(other)), false, room("two", CLIENT)))
                .isNull();
        store(cookies.write(pass(NOW), false, mine));
        assertThat(cookies.read(request(), false, room("one", new byte[] {1, 2, 4})))
                .isNull();
        assertThat(new TicketCookie(() -> KeyRing.random().seal("ticket")).read(request(), false, mine))
                .isNull();
    }

    @Test
    void greatestRightCountsOfCookiesThatAnotherHostSet() {
        Ticket best = pass(NOW + 9 * SECOND);
        List<String> doubled = new ArrayList<>();
        for (Ticket ticket : List.of(place(3, NOW), best, pass(NOW + 8 * SECOND), Ticket.fresh(1))) {
            doubled.add(cookies.write(ticket, false, room(1)).split(";", 2)[0]);
        }
        for (int seed = 0; seed < 10; seed++) {
            Collections.shuffle(doubled, new Random(seed));
            assertThat(cookies.read(request(List.of(String.join("; ", doubled))), false, room(1)))
                    .isEqualTo(best);
        }
        Ticket front = place(3, NOW);
        String places = cookies.write(place(4, NOW), false, room(1)).split(";", 2)[0] + "; "
                + cookies.write(front, false, room(1)).split(";", 2)[0];
        assertThat(cookies.read(request(List.of(places)), false, room(1))).isEqualTo(front);
    }

    @Test
    void forgedCookiesBeforeTheGoodOneDoNotHideIt() {
        store(cookies.write(pass(NOW), false, room(1)));
        String good = pairs().get(0);
        String name = good.substring(0, good.indexOf('=') + 1);
        String tossed = (name + "x; ").repeat(60) + (name + "A".repeat(good.length() - name.length()) + "; ").repeat(7);

        assertThat(cookies.read(request(List.of(tossed + good)), false, room(1)))
                .isNotNull();
    }

    @Test
    void oldestEndedCookieGoesFirst() {
        int rooms = 0;
        while (rooms < MANY && cookies.space(request(), true, room(rooms), NOW).expire() == null) {
            enter(room(rooms), pass(NOW - (1000 + rooms) * SECOND), true); // the last one has ended first
            rooms++;
        }
        assertThat(rooms).as("rooms until a cookie must go").isBetween(20, MANY - 1);
        enter(room("live", CLIENT), pass(NOW + SECOND), true);
        enter(room("place", CLIENT), place(5, NOW - SECOND), true);
        for (int next = rooms - 3; next >= 0; next--) {
            assertThat(jar).containsKey(name(next));

            assertThat(enter(room("more" + next, CLIENT), pass(NOW + SECOND), true))
                    .isTrue();

            assertThat(jar).doesNotContainKey(name(next)).hasSize(rooms);
            assertThat(bytes()).isLessThanOrEqualTo(TicketCookie.MAX_BYTES);
        }
        assertThat(cookies.read(request(), true, room("live", CLIENT))).isNotNull();
        assertThat(cookies.read(request(), true, room("place", CLIENT))).isNotNull();
    }

    private static String name(int room) {
        return "__Host-postern-ticket-" + room(room).suffix();
    }

    @Test
    void livePassesAndPlacesNeverGo() {
        int rooms = 0;
        while (rooms < MANY
                && enter(room(rooms), rooms % 2 == 0 ? pass(NOW + SECOND) : place(5, NOW - 10 * SECOND), true)) {
            rooms++;
            assertThat(bytes()).isLessThanOrEqualTo(TicketCookie.MAX_BYTES);
        }
        assertThat(rooms).as("rooms at once").isBetween(20, MANY - 1);
        assertThat(jar).hasSize(rooms);

        TicketCookie.Space own = cookies.space(request(), true, room(0), NOW);
        assertThat(own.free()).as("a cookie that it has").isTrue();
        TicketCookie.Space later = cookies.space(request(), true, room(rooms), NOW + 3600 * SECOND);
        assertThat(later.free()).as("an hour later").isTrue();
        assertThat(later.expire()).contains("Max-Age=0");
    }

    @Test
    void cookiesOfOtherHostsTakeNoSpaceAndAreNotReflected() {
        String garbage = "postern-ticket-%s=" + "A".repeat(300);
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            fields.add(String.format(garbage, "\"<script>" + i));
        }
        TicketCookie.Space space = cookies.space(request(fields), false, room(1), NOW);
        assertThat(space.free()).isTrue();
        assertThat(space.expire()).isNull();

        fields.add(String.format(garbage, "AAAAAAAA"));
        fields.add(cookies.write(pass(NOW - 300 * SECOND), false, room(2)).split(";", 2)[0]);
        assertThat(cookies.space(request(fields), false, room(1), NOW).expire())
                .as("the gateway's own one that is over goes first")
                .startsWith("postern-ticket-" + room(2).suffix() + "=;");
        fields.remove(fields.size() - 1);
        assertThat(cookies.space(request(fields), false, room(1), NOW).expire())
                .startsWith("postern-ticket-AAAAAAAA=;");
    }

    @Test
    void ticketSurvivesSealing() {
        Ticket ticket = new Ticket("abcdefghijkl", new Claim(1, 2, 3, 4, 5), 6, 0x0703_0201_0000_0009L);
        store(cookies.write(ticket, false, room(1)));
        assertThat(cookies.read(request(), false, room(1))).isEqualTo(ticket);
        assertThat(bytes()).isLessThan(200);
    }
}
