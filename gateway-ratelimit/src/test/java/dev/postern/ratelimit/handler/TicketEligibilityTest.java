package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TicketEligibilityTest {

    @ParameterizedTest
    @CsvSource({
        "navigate, document, PAGE",
        "navigate, '', PAGE",
        "'', document, PAGE",
        "navigate, iframe, ENTER",
        "navigate, frame, ENTER",
        "navigate, fencedframe, ENTER",
        "'', iframe, ENTER",
        "navigate, object, FETCH",
        "navigate, embed, FETCH",
        "navigate, empty, FETCH",
        "navigate, image, FETCH",
        "'', image, FETCH",
        "'', empty, FETCH",
        "'', serviceworker, FETCH",
        "no-cors, image, FETCH",
        "cors, empty, FETCH",
        "same-origin, document, FETCH",
        "websocket, websocket, FETCH",
    })
    void dependsOnModeAndDestination(String mode, String destination, Intent intent) {
        RequestHead request = request(Method.GET);
        if (!mode.isEmpty()) {
            request.add(FieldName.SEC_FETCH_MODE, mode);
        }
        if (!destination.isEmpty()) {
            request.add(FieldName.SEC_FETCH_DEST, destination);
        }
        assertThat(TicketEligibility.of(request, false)).isEqualTo(intent);
    }

    @ParameterizedTest
    @CsvSource({
        "cross-site, iframe, FETCH",
        "cross-site, fencedframe, FETCH",
        "same-site, iframe, ENTER",
        "same-origin, iframe, ENTER",
        "none, iframe, ENTER",
        "cross-site, document, PAGE",
    })
    void framesOfOtherSitesTakeNoTickets(String site, String destination, Intent intent) {
        RequestHead request = request(Method.GET);
        request.add(FieldName.SEC_FETCH_MODE, "navigate");
        request.add(FieldName.SEC_FETCH_DEST, destination);
        request.add(FieldName.of("sec-fetch-site"), site);

        assertThat(TicketEligibility.of(request, false)).isEqualTo(intent);
    }

    @ParameterizedTest
    @CsvSource({
        "none, iframe, FETCH",
        "none, frame, FETCH",
        "none, document, PAGE",
        "inactive, iframe, ENTER",
        "active, iframe, ENTER",
    })
    void framesThatHaveNoCookiesTakeNoTickets(String access, String destination, Intent intent) {
        RequestHead request = request(Method.GET);
        request.add(FieldName.SEC_FETCH_MODE, "navigate");
        request.add(FieldName.SEC_FETCH_DEST, destination);
        request.add(FieldName.of("sec-fetch-site"), "same-origin");
        request.add(FieldName.of("sec-fetch-storage-access"), access);

        assertThat(TicketEligibility.of(request, false)).isEqualTo(intent);
        assertThat(TicketEligibility.of(request, true)).as("with a ticket").isNotEqualTo(Intent.FETCH);
    }

    @Test
    void withoutFetchMetadataDependsOnAccept() {
        RequestHead page = request(Method.GET);
        page.add(FieldName.ACCEPT, "text/html,application/xhtml+xml");

        assertThat(TicketEligibility.of(page, false)).isEqualTo(Intent.PAGE);
        assertThat(TicketEligibility.of(request(Method.GET), false)).isEqualTo(Intent.ENTER);
        assertThat(TicketEligibility.of(request(Method.POST), false)).isEqualTo(Intent.FETCH);
        assertThat(TicketEligibility.of(request(Method.POST), true)).isEqualTo(Intent.ENTER);
        assertThat(TicketEligibility.of(request(Method.OPTIONS), true)).isEqualTo(Intent.FETCH);
    }

    @ParameterizedTest
    @CsvSource({"Sec-Purpose, prefetch;prerender, RENEW", "User-Agent, Twitterbot/1.0, FETCH"})
    void navigationsForLaterTakeNothing(String field, String value, Intent intent) {
        RequestHead request = request(Method.GET);
        request.add(FieldName.SEC_FETCH_MODE, "navigate");
        request.add(FieldName.SEC_FETCH_DEST, "document");
        request.add(FieldName.of(field), value);

        assertThat(TicketEligibility.of(request, false)).isEqualTo(intent);
        assertThat(TicketEligibility.of(request, true)).isEqualTo(intent);
    }

    private static RequestHead request(Method method) {
        return new RequestHead().method(method);
    }
}
