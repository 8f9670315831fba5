package dev.postern.core.extension;

import dev.postern.core.spi.EndpointRule;
import dev.postern.core.spi.Request;

/** A rule whose faults make no choice, so that the pool chooses by its own. */
record GuardedEndpointRule(EndpointRule rule, Faults faults) implements EndpointRule {

    /** No choice. */
    private static final int NONE = -1;

    @Override
    public String name() {
        return rule.name();
    }

    @Override
    public long key(Request request) {
        try {
            return rule.key(request);
        } catch (RuntimeException | LinkageError e) {
            faults.note(rule, "key", e);
            return 0;
        }
    }

    @Override
    public Chooser open() {
        Chooser chooser = rule.open();
        return (servers, key) -> {
            try {
                int index = chooser.choose(servers, key);
                if (index >= 0 && index < servers.size()) {
                    return index;
                }
                throw new IndexOutOfBoundsException(index + " (expected: 0.." + (servers.size() - 1) + ")");
            } catch (RuntimeException | LinkageError e) {
                faults.note(rule, "choose", e);
                return NONE;
            }
        };
    }
}
