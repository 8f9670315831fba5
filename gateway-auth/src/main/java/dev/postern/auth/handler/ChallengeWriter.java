package dev.postern.auth.handler;

import dev.postern.auth.challenge.Challenges;
import dev.postern.auth.challenge.IssuedChallenge;
import dev.postern.auth.challenge.PresentationContext;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.KeyTable;
import dev.postern.auth.token.Grease;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writer of one challenge for each issuer with an available key, in the operator's order (RFC 9577 section 2.1.2): 401 on reverse
 * listeners, 407 on forward ones. Some responses also contain a GREASE challenge.
 */
public final class ChallengeWriter implements Challenger {

    private final Challenges challenges;
    private final Supplier<KeyTable> keys;
    private final InstantSource clock;
    private final @Nullable Grease grease;

    /** @param grease null for none */
    public ChallengeWriter(
            Challenges challenges, Supplier<KeyTable> keys, InstantSource clock, @Nullable Grease grease) {
        this.challenges = challenges;
        this.keys = keys;
        this.clock = clock;
        this.grease = grease;
    }

    @Override
    public void challenge(Exchange exchange, String reason) {
        exchange.outcome().reason(reason);
        List<Field> fields = fields(exchange);
        if (fields.isEmpty()) {
            // A challenge without a key would send the client to an issuer whose directory the gateway cannot read.
            exchange.outcome().reason("no-keys");
            exchange.refuse(Refusal.KEYS_UNAVAILABLE);
        } else {
            exchange.refuse(Refusal.TOKEN_REQUIRED, fields);
        }
    }

    /** Adds the challenges to any response of the exchange (allowed by RFC 9110 sections 11.6.1 and 11.7.1). */
    public void offer(Exchange exchange) {
        for (Field field : fields(exchange)) {
            exchange.addResponseField(field);
        }
    }

    @Override
    public void invite(Exchange exchange) {
        List<Field> fields = fields(exchange);
        fields.forEach(exchange::addResponseField);
        exchange.whenUpstreamResponds(head -> exchange.removeResponseFields(fields));
    }

    private List<Field> fields(Exchange exchange) {
        Instant now = clock.instant();
        KeyTable table = keys.get();
        ListenerInfo listener = exchange.client().listener();
        FieldName name = listener.reverse() ? FieldName.WWW_AUTHENTICATE : FieldName.PROXY_AUTHENTICATE;
        List<Field> fields = new ArrayList<>(2);
        PresentationContext context = PresentationContext.of(exchange);
        long age = challenges.maxAge(context, now);
        for (IssuedChallenge issued : challenges.open(context, now)) {
            IssuerKey key = table.preferred(issued.issuer(), issued.type(), now);
            if (key != null) {
                fields.add(issued.field(name, key, age));
            }
        }
        if (grease != null && !fields.isEmpty()) {
            grease.into(fields, challenge -> Field.of(name, challenge));
        }
        return fields;
    }
}
