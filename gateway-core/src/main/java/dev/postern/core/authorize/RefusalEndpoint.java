package dev.postern.core.authorize;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.PageNote;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.spi.Decision;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Refusal endpoint {@code /.postern/refusal}: renders a refusal that nginx got sealed and could not relay, for the client that the request
 * describes. Decides nothing: status, fields and position are those of the refusal. Stateless.
 */
final class RefusalEndpoint implements InternalEndpoint {

    static final String PATH = "/.postern/refusal";

    private static final Map<String, Refusal> REFUSALS =
            Arrays.stream(Refusal.values()).collect(Collectors.toUnmodifiableMap(Refusal::code, Function.identity()));

    private final RefusalSeal seal;

    RefusalEndpoint(RefusalSeal seal) {
        this.seal = seal;
    }

    @Override
    public void serve(Exchange exchange) {
        RequestHead request = exchange.request();
        @Nullable
        String text = request.occurrences(NginxResponses.REFUSAL) == 1 ? request.value(NginxResponses.REFUSAL) : null;
        @Nullable SealedRefusal refusal = text == null ? null : seal.open(text);
        if (refusal == null) {
            exchange.outcome().reason("no refusal of this gateway");
            exchange.refuse(Refusal.REQUEST_MALFORMED);
            return;
        }
        @Nullable Route route = describe(exchange, refusal);
        boolean ofRoute = refusal.code().isEmpty() || refusal.code().equals(Refusal.MAINTENANCE.code());
        if (!ofRoute || route == null || !route.transform().responses(exchange)) {
            exchange.reply(merged(page(exchange, refusal), refusal));
        }
    }

    /** Makes the request the one that was refused, as far as it can be read; returns its route, or null. */
    private static @Nullable Route describe(Exchange exchange, SealedRefusal refusal) {
        RequestHead request = exchange.request();
        exchange.outcome().reason("refused before");
        @Nullable Field id = exchange.requestId();
        if (id != null && !refusal.requestId().isEmpty()) {
            exchange.requestId(Field.of(id.name(), refusal.requestId()));
        }
        try {
            ListenerInfo.Questions questions = exchange.client().listener().questions();
            if (questions != null) {
                Description.apply(request, questions);
            }
            ForwardedFields.Client client = ForwardedFields.client(exchange.client(), request);
            exchange.clientAddress(client.address());
            exchange.clientScheme(client.scheme());
        } catch (Description.IncompleteException | HttpParseException fault) {
            return null; // that is why it was refused
        } finally {
            // nginx turns the method of an error page into GET.
            request.describe(Method.of(refusal.method()));
        }
        Route route = RoutingSnapshot.of(exchange).routes().match(request, request.path());
        if (route != null) {
            route.assignTo(exchange);
        }
        return route;
    }

    private static LocalReply page(Exchange exchange, SealedRefusal refusal) {
        PageNote note = refusal.note();
        if (note.renderer().equals(PageNote.EXTENSION)) {
            String[] words = note.text().split("\n", 2);
            return LocalReply.of(new Decision.Refused(refusal.status(), words[0], words[words.length - 1]), exchange);
        }
        @Nullable
        InternalEndpoint endpoint =
                note.renderer().isEmpty() ? null : RoutingSnapshot.of(exchange).internalEndpoint(note.renderer());
        @Nullable LocalReply page = endpoint == null ? null : endpoint.page(exchange, refusal.status(), note);
        if (page != null) {
            return page;
        }
        @Nullable Refusal known = REFUSALS.get(refusal.code());
        return known == null
                ? new LocalReply(refusal.status(), "", List.of(), new byte[0])
                : LocalReply.of(known, exchange, List.of());
    }

    private static LocalReply merged(LocalReply page, SealedRefusal refusal) {
        Set<FieldName> decided = refusal.fields().stream().map(Field::name).collect(Collectors.toSet());
        List<Field> fields = Stream.concat(
                        page.fields().stream().filter(field -> !decided.contains(field.name())),
                        refusal.fields().stream())
                .toList();
        return new LocalReply(refusal.status(), page.contentType(), fields, page.body());
    }
}
