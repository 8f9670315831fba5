package dev.postern.core.extension;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.EndpointRule;
import dev.postern.core.upstream.endpoint.ExtensionBalance;

/** Endpoint rule whose errors result in no choice, so that the pool chooses by itself. */
record GuardedEndpointRule(EndpointRule rule, ExtensionErrors errors) implements ExtensionBalance {

    /** Index for no choice. */
    private static final int NONE = -1;

    @Override
    public long key(Exchange exchange) {
        try {
            return rule.key(new RequestView(exchange));
        } catch (RuntimeException | LinkageError e) {
            errors.note(rule, "key", e);
            return 0;
        }
    }

    @Override
    public EndpointRule.Chooser open() {
        EndpointRule.Chooser chooser = rule.open();
        return (servers, key) -> {
            try {
                int index = chooser.choose(servers, key);
                if (index >= 0 && index < servers.size()) {
                    return index;
                }
                throw new IndexOutOfBoundsException(index + " (expected: 0.." + (servers.size() - 1) + ")");
            } catch (RuntimeException | LinkageError e) {
                errors.note(rule, "choose", e);
                return NONE;
            }
        };
    }
}
