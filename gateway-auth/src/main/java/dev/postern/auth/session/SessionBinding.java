package dev.postern.auth.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.Route;
import java.util.Arrays;
import java.util.List;

/**
 * Binding of a session to where it was bought: elsewhere its cookie cannot be opened.
 *
 * @param host of the request
 * @param rule of the route's challenges
 * @param client what {@link ClientBinding#bytes} makes of the client
 */
record SessionBinding(String host, ChallengeRule rule, byte[] client) {

    static SessionBinding of(Exchange exchange, List<ClientBinding> properties) {
        return new SessionBinding(
                exchange.request().host(),
                Route.of(exchange).challenge(),
                ClientBinding.bytes(
                        properties, exchange.networkPrefix(), exchange.request().value(FieldName.USER_AGENT)));
    }

    boolean sameAs(SessionBinding other) {
        return host.equals(other.host) && rule.equals(other.rule) && Arrays.equals(client, other.client);
    }

    /** Returns bytes that differ for bindings that differ, and for other namespaces. */
    byte[] bytes(String namespace) {
        String text = String.join(
                "\n",
                namespace,
                host,
                String.join(",", rule.issuers()),
                rule.originInfo(),
                rule.context().name());
        byte[] bytes = text.getBytes(UTF_8);
        byte[] all = Arrays.copyOf(bytes, bytes.length + 1 + client.length);
        System.arraycopy(client, 0, all, bytes.length + 1, client.length);
        return all;
    }
}
