package dev.postern.core.authorize;

import dev.postern.core.exchange.Admission;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.Question;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Authorization of a request that another proxy forwards: the end of an exchange in place of the reverse proxy. Stateless. */
public final class Authorization {

    /** By what right a request passes, for the site; a request without it has not passed the gateway. */
    public static final FieldName ADMISSION = FieldName.of("postern-admission");

    private static final FieldName SECOND_COOKIE = FieldName.of("postern-set-cookie");

    /** A response of the site would have this status at least; what depends on the site's own one does not happen. */
    private static final int OK = 200;

    private static final Question ALLOWED = (reply, exchange) -> reply;

    /** Answers that the request may pass. */
    public void allow(Exchange exchange) {
        if (!Question.isAnsweredBy(exchange)) {
            exchange.refuse(Refusal.ROUTE_NOT_FOUND); // a request of the proxy itself, which asks nothing
            return;
        }
        ResponseHead site = new ResponseHead().status(OK);
        exchange.upstreamResponded(site);
        List<Field> fields = new ArrayList<>(4);
        fields.add(Field.of(ADMISSION, Admission.of(exchange).label()));
        for (int i = 0; i < site.fields(); i++) {
            if (site.present(i)) {
                fields.add(Field.of(FieldName.of(site.nameAt(i)), site.valueAt(i)));
            }
        }
        ListenerInfo.Questions questions = exchange.client().listener().questions();
        if (questions != null && questions.dialect() == ListenerInfo.Dialect.NGINX) {
            oneCookie(exchange, fields);
        }
        // A token is spent for an authorization, whatever becomes of the request.
        exchange.outcome().markForwarded();
        exchange.put(Question.KEY, ALLOWED);
        exchange.reply(new LocalReply(OK, "", fields, new byte[0]));
    }

    /** Leaves one Set-Cookie: nginx relays one. A second one gets a name of its own; more than two are for cookies that are over. */
    private static void oneCookie(Exchange exchange, List<Field> fields) {
        if (exchange.responseFields().size() < 2) {
            return; // each question of a page comes here
        }
        List<Field> cookies = exchange.responseFields().stream()
                .filter(field -> field.name().equals(FieldName.SET_COOKIE))
                .sorted(Comparator.comparingInt(Authorization::lesser))
                .toList();
        if (cookies.size() > 1) {
            exchange.removeResponseFields(cookies);
            fields.add(cookies.get(0));
            fields.add(Field.of(SECOND_COOKIE, cookies.get(1).value()));
        }
    }

    private static int lesser(Field cookie) {
        return cookie.value().contains("Max-Age=0") ? 1 : 0;
    }
}
