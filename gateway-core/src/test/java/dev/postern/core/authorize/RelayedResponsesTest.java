package dev.postern.core.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Admission;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.Question;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.RecordedResponse;
import io.netty.util.concurrent.Ticker;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what another proxy gets in place of a local reply. */
class RelayedResponsesTest {

    private static final FieldName ADMISSION = FieldName.of("postern-admission");

    private final RecordedResponse response = new RecordedResponse();

    private Exchange exchange(ListenerInfo.Dialect dialect) {
        ListenerInfo listener = new ListenerInfo(
                "auth",
                ListenerInfo.Mode.AUTHORIZE,
                "",
                "",
                CidrSet.NONE,
                List.of(),
                ListenerInfo.Forwarded.AUTO,
                false,
                null,
                ClientNetworks.WELL_KNOWN,
                null,
                new ListenerInfo.Questions(dialect, ""));
        ClientConnection client = new ClientConnection(
                listener, TestExchanges.UNTRUSTED.loop(), TestExchanges.address("192.0.2.7"), 4711, false);
        RequestHead head = new RequestHead().authority("site.example").target("/", "");
        return response.of(RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        client,
                        head,
                        new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW),
                        new Timeline(Ticker.newMockTicker()))));
    }

    @ParameterizedTest
    @CsvSource({
        "200, 404, 404",
        "204, 404, 404",
        "299, 404, 404",
        "300, 300, 300",
        "401, 401, 401",
        "499, 499, 499",
        "500, 500, 429",
        "503, 503, 429",
        "599, 599, 429"
    })
    void aReplyNeverSeemsPermission(int status, int relayed, int ofEnvoy) {
        LocalReply reply = LocalReply.of(status, "text/plain", "body");
        Exchange exchange = exchange(ListenerInfo.Dialect.FORWARDED);
        assertThat(RelayedResponses.ALL.response(reply, exchange).status()).isEqualTo(relayed);
        assertThat(RelayedResponses.BELOW_500.response(reply, exchange).status())
                .isEqualTo(ofEnvoy);
    }

    @Test
    void aRequestThatIsNoQuestionIsNotAllowed() {
        new Authorization().allow(exchange(ListenerInfo.Dialect.FORWARDED));
        assertThat(response.status()).isEqualTo(404);
    }

    @Test
    void theAnswerNamesTheFirstRightThatApplies() {
        assertThat(admission(null, false)).isEqualTo("open");
        assertThat(admission(null, true)).isEqualTo("pass");
        Credential spent = new Credential(new byte[Credential.LENGTH], false);
        assertThat(admission(spent, false)).as("reported only").isEqualTo("open");
        spent.markSpent();
        assertThat(admission(spent, true)).isEqualTo("token");
        Credential session = Credential.of(new byte[Credential.LENGTH], new Credential.Session(null));
        assertThat(admission(session, true)).isEqualTo("session");
    }

    private static String admission(@Nullable Credential credential, boolean pass) {
        RelayedResponsesTest test = new RelayedResponsesTest();
        Exchange exchange = test.exchange(ListenerInfo.Dialect.FORWARDED);
        if (credential != null) {
            exchange.credential(credential);
        }
        if (pass) {
            Admission.passed(exchange);
        }
        exchange.put(Question.KEY, RelayedResponses.ALL);
        new Authorization().allow(exchange);
        assertThat(test.response.status()).isEqualTo(200);
        return String.valueOf(test.response.value(ADMISSION));
    }

    @Test
    void nginxGetsTheCookieThatLastsFirst() {
        Exchange exchange = exchange(ListenerInfo.Dialect.NGINX);
        exchange.put(Question.KEY, RelayedResponses.ALL);
        exchange.addResponseField(Field.of(FieldName.SET_COOKIE, "gone=; Max-Age=0"));
        exchange.addResponseField(Field.of(FieldName.SET_COOKIE, "ticket=1"));
        exchange.addResponseField(Field.of(FieldName.SET_COOKIE, "session=1"));
        new Authorization().allow(exchange);
        assertThat(response.value(FieldName.SET_COOKIE)).isEqualTo("ticket=1");
        assertThat(response.value(FieldName.of("postern-set-cookie"))).isEqualTo("session=1");
        assertThat(exchange.responseFields()).isEmpty();
    }
}
