package dev.postern.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that an exchange has the scheme of its client, as cookies, redirects and spans need it: never one that the client invented. */
class ClientSchemeTest {

    private final RecordedResponse response = new RecordedResponse();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // peer | TLS of the connection | field | value | expected
                "10.1.1.1 | false | X-Forwarded-Proto | https                       | https",
                "10.1.1.1 | false | X-Forwarded-Proto | http                        | http",
                "10.1.1.1 | false | X-Forwarded-Proto | ftp                         | http",
                "10.1.1.1 | false | Forwarded         | for=192.0.2.1;proto=https   | https",
                "10.1.1.1 | false | Forwarded         | for=192.0.2.1               | http",
                "10.1.1.1 | false | -                 | -                           | http",
                "10.1.1.1 | true  | X-Forwarded-Proto | http                        | http",
                "10.1.1.1 | true  | -                 | -                           | https",
                "9.9.9.9  | false | X-Forwarded-Proto | https                       | http",
                "9.9.9.9  | false | Forwarded         | proto=https                 | http",
                "9.9.9.9  | false | X-Forwarded-Ssl   | on                          | http",
                "9.9.9.9  | true  | X-Forwarded-Proto | http                        | https",
                "9.9.9.9  | true  | -                 | -                           | https",
            })
    void comesFromTrustedProxiesOrTheConnection(String peer, boolean tls, String name, String value, String expected) {
        RequestHead head =
                new RequestHead().method(Method.GET).authority("site.example").target("/", "");
        if (name != null) {
            head.add(FieldName.of(name), value);
        }

        Exchange exchange = send(peer, tls, head);

        assertThat(exchange.clientScheme()).isEqualTo(expected);
        assertThat(exchange.clientSecure()).isEqualTo(expected.equals("https"));
    }

    private Exchange send(String peer, boolean tls, RequestHead head) {
        EmbeddedChannel channel =
                new EmbeddedChannel(new StageChain(List.of(new MatchStage(new LoadShedState(), new Via("postern")))));
        ListenerInfo listener =
                new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.of(List.of("10.0.0.0/8")), false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), TestExchanges.address(peer), 4711, tls);
        Exchange exchange = response.of(RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        client,
                        head,
                        new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW),
                        new Timeline(channel.eventLoop().ticker()))));
        channel.writeInbound(exchange);
        return exchange;
    }
}
