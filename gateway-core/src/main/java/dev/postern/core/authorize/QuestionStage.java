package dev.postern.core.authorize;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.Question;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.InternalEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * Stage that turns the question of another proxy into the exchange that it is about; only on listeners in mode authorize. Serves the refusals
 * that such a proxy shows later, and lets it pass polls of the waiting room.
 */
public final class QuestionStage extends ExchangeStage {

    private static final String REASON = "description";

    /** For refusals that no proxy is to relay in its own way. */
    private static final Question AS_IS = (reply, exchange) -> reply;

    private final RefusalEndpoint refusals;
    private final RefusalSeal seal;

    public QuestionStage(RefusalSeal seal) {
        super(StageName.MATCH);
        this.seal = seal;
        this.refusals = new RefusalEndpoint(seal);
    }

    @Override
    protected void onExchange(Exchange exchange) {
        ListenerInfo.@Nullable Questions questions =
                exchange.client().listener().questions();
        if (questions == null) {
            skip(exchange);
        } else if (!exchange.client().trusted()) {
            refuseSilently(exchange);
        } else if (isForRefusals(exchange, questions)) {
            exchange.timeline().mark(StageName.MATCH);
            refusals.serve(exchange);
        } else if (isForGateway(exchange, questions)) {
            poll(exchange, questions);
        } else {
            ask(exchange, questions);
        }
    }

    private static void refuseSilently(Exchange exchange) {
        exchange.timeline().mark(StageName.MATCH);
        exchange.put(Question.KEY, AS_IS);
        exchange.outcome().reason("no trusted proxy");
        exchange.outcome().refusal(Refusal.ADDRESS_DENIED);
        exchange.reply(LocalReply.of(403, "", ""));
    }

    private void ask(Exchange exchange, ListenerInfo.Questions questions) {
        exchange.put(Question.KEY, responses(questions.dialect()));
        if (exchange.fault() == null) {
            try {
                Description.apply(exchange.request(), questions);
            } catch (Description.IncompleteException fault) {
                refuseIncomplete(exchange, fault);
                return;
            } catch (HttpParseException fault) {
                exchange.outcome().reason(String.valueOf(fault.getMessage()));
                exchange.fault(fault.refusal());
            }
        }
        skip(exchange);
    }

    /** Refuses what the proxy's configuration got wrong; no dialect has a way to say so to a client, so each gets 400. */
    private void refuseIncomplete(Exchange exchange, Description.IncompleteException fault) {
        exchange.put(Question.KEY, AS_IS);
        exchange.outcome().reason(REASON + ": " + fault.getMessage());
        refuse(exchange, Refusal.REQUEST_MALFORMED);
    }

    private Question responses(ListenerInfo.Dialect dialect) {
        return switch (dialect) {
            case NGINX -> new NginxResponses(seal);
            case FORWARDED -> RelayedResponses.ALL;
            case ENVOY -> RelayedResponses.BELOW_500;
        };
    }

    /** Passes on a poll of the waiting page, which the proxy forwards; its client is described like that of a question. */
    private void poll(Exchange exchange, ListenerInfo.Questions questions) {
        RequestHead request = exchange.request();
        boolean described = Description.isIn(request, questions.dialect());
        if (!described && !request.has(FieldName.X_FORWARDED_FOR)) {
            refuseIncomplete(exchange, new Description.IncompleteException("no client"));
            return;
        }
        try {
            if (described) {
                String path = request.path();
                Description.apply(request, questions);
                if (!request.path().equals(path)) {
                    throw new Description.IncompleteException("another path");
                }
            }
        } catch (Description.IncompleteException fault) {
            refuseIncomplete(exchange, fault);
            return;
        } catch (HttpParseException fault) {
            exchange.fault(fault.refusal());
        }
        skip(exchange);
    }

    private static boolean isForRefusals(Exchange exchange, ListenerInfo.Questions questions) {
        return questions.dialect() == ListenerInfo.Dialect.NGINX
                && exchange.fault() == null
                && exchange.request().sentPath().equals(RefusalEndpoint.PATH);
    }

    private static boolean isForGateway(Exchange exchange, ListenerInfo.Questions questions) {
        RequestHead request = exchange.request();
        boolean own = exchange.fault() == null
                && request.path().startsWith(InternalEndpoint.PREFIX)
                && request.sentPath().equals(request.path());
        // In dialect envoy a question has the path of the client, so that only the prefix tells one from a poll.
        return own
                && (questions.dialect() != ListenerInfo.Dialect.ENVOY
                        || !questions.pathPrefix().isEmpty()
                                && !Description.hasPrefix(request, questions.pathPrefix()));
    }
}
