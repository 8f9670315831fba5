package dev.postern.ratelimit.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.store.FairQueueSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingRoomResponseTest {

    private final WaitingRoomResponse responses = responses("none");

    @Test
    void pageIsSmallAndLoadsNothing() {
        String page = page(new QueuePosition("waiting", 4321, 754, 3));
        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(20_000);
        assertThat(page).doesNotContain("http://", "https://", "src=", "@import", "{{");
        assertThat(page).contains(">4321<", ">about 13 min<", "data-retry=\"3\"", "data-poll=\"/.postern/room/site\"");
        assertThat(page).contains("aria-live=\"polite\"", "Check again", "prefers-color-scheme: dark");
    }

    /** Verifies that the page reloads only without a script, where a reload is necessary to keep the position. */
    @Test
    void pageReloadsOnlyWithoutAScript() {
        String page = page(new QueuePosition("waiting", 4321, 754, 3));

        assertThat(page)
                .contains(
                        "<noscript><meta http-equiv=\"refresh\" content=\"3;url=./bread?kind=rye&amp;%22\"></noscript>");
        assertThat(page).containsOnlyOnce("http-equiv");
    }

    @Test
    void showsSoonForLessThanAMinute() {
        assertThat(page(new QueuePosition("waiting", 1, 20, 1))).contains(">less than a minute<");
        assertThat(page(new QueuePosition("waiting", 1, 0, 1))).contains(">a while<");
    }

    @Test
    void takesConfiguredStatusAndForbidsForeignContent() {
        LocalReply reply =
                responses.waiting(202, new QueuePosition("waiting", 1, 0, 1), exchange("text/html"), "site", "c=1");
        assertThat(reply.status()).isEqualTo(202);
        assertThat(field(reply, "content-security-policy"))
                .contains("default-src 'none'")
                .endsWith("; frame-ancestors 'none'");
        assertThat(field(reply, "set-cookie")).isEqualTo("c=1");
        assertThat(Integer.parseInt(field(reply, "retry-after"))).isPositive();
    }

    @Test
    void namesTheSitesThatMayShowThePageInAFrame() {
        LocalReply reply = responses("self, https://partner.example")
                .waiting(503, new QueuePosition("waiting", 1, 0, 1), exchange("text/html"), "site", null);

        assertThat(field(reply, "content-security-policy"))
                .endsWith("; frame-ancestors 'self' https://partner.example");
    }

    @Test
    void showsTheIdOfTheRequestForSupport() {
        Exchange exchange = exchange("text/html");
        QueuePosition position = new QueuePosition("waiting", 1, 0, 1);
        assertThat(body(responses.waiting(503, position, exchange, "site", null)))
                .contains("<p class=\"id\" data-id=\"\">");
        exchange.requestId(Field.of(FieldName.of("x-request-id"), "abc-1"));
        assertThat(body(responses.waiting(503, position, exchange, "site", null)))
                .contains("data-id=\"abc-1\">Request <code dir=\"ltr\">abc-1</code></p>");
    }

    @Test
    void shownPositionNeverRises() {
        Ticket ticket = Ticket.fresh(1).after(waiting(7, 100));
        assertThat(ticket.position()).isEqualTo(7);
        assertThat(ticket.after(waiting(9, 100)).position()).isEqualTo(7);
        assertThat(ticket.after(waiting(5, 100)).position()).isEqualTo(5);
        assertThat(ticket.after(waiting(9, 101)).position())
                .as("another ticket")
                .isEqualTo(9);
    }

    private static WaitingRoomResponse responses(String frameAncestors) {
        return new WaitingRoomResponse(null, new FairQueueSettings.Page(null, "auto", frameAncestors));
    }

    private String page(QueuePosition queuePosition) {
        return new String(
                responses
                        .waiting(503, queuePosition, exchange("text/html"), "site", null)
                        .body(),
                StandardCharsets.UTF_8);
    }

    private static AdmissionDecision waiting(long position, long ticket) {
        return new AdmissionDecision(Kind.WAITING, position, 0, 0, ticket, 0, 0, false, new Snapshot(1000, 1, 10, 3));
    }

    private static Exchange exchange(String accept) {
        RequestHead head = new RequestHead().target("/shop/bread", "?kind=rye&\"");
        head.add(FieldName.ACCEPT, accept);
        return TestExchanges.exchange(TestExchanges.UNTRUSTED, head, List.of());
    }

    private static String body(LocalReply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static String field(LocalReply reply, String name) {
        return reply.fields().stream()
                .filter(f -> f.name().equals(FieldName.of(name)))
                .map(Field::value)
                .findFirst()
                .orElse("");
    }
}
