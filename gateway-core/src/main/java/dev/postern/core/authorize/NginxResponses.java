package dev.postern.core.authorize;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.Question;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Answers for {@code auth_request} of nginx, which knows 401 and 403 alone and relays WWW-Authenticate of a 401: every other refusal is 403, and
 * all are sealed in {@code Postern-Refusal} for {@link RefusalEndpoint}.
 */
final class NginxResponses implements Question {

    static final FieldName REFUSAL = FieldName.of("postern-refusal");

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final RefusalSeal seal;

    NginxResponses(RefusalSeal seal) {
        this.seal = seal;
    }

    @Override
    public LocalReply response(LocalReply reply, Exchange exchange) {
        LocalReply refusal = RelayedResponses.refusing(reply, exchange);
        List<Field> fields = new ArrayList<>(refusal.fields());
        List<Field> added = List.copyOf(exchange.responseFields());
        exchange.removeResponseFields(added);
        fields.addAll(added);
        List<Field> relayed = new ArrayList<>(2);
        relayed.add(Field.of(REFUSAL, seal.seal(SealedRefusal.of(refusal.status(), fields, exchange))));
        if (refusal.status() == UNAUTHORIZED) {
            challenges(fields, relayed);
        }
        return new LocalReply(refusal.status() == UNAUTHORIZED ? UNAUTHORIZED : FORBIDDEN, "", relayed, new byte[0]);
    }

    /** Adds all challenges in one line: nginx before 1.23 relays one. */
    private static void challenges(List<Field> fields, List<Field> relayed) {
        String all = fields.stream()
                .filter(field -> field.name().equals(FieldName.WWW_AUTHENTICATE))
                .map(Field::value)
                .collect(Collectors.joining(", "));
        if (!all.isEmpty()) {
            relayed.add(Field.of(FieldName.WWW_AUTHENTICATE, all));
        }
    }
}
