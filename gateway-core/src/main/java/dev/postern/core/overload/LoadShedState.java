package dev.postern.core.overload;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Load-shedding state of the process: one volatile read, on any thread. */
public final class LoadShedState {

    private static final int LEAST_SECONDS = 2;
    private static final int MAX_SECONDS = 9;

    /** Retry-After values, chosen at random, so that clients refused together do not return together. */
    private static final List<List<Field>> LATER = IntStream.rangeClosed(LEAST_SECONDS, MAX_SECONDS)
            .mapToObj(seconds -> List.of(Field.of(FieldName.RETRY_AFTER, Integer.toString(seconds))))
            .toList();

    private volatile String reason = "";

    public boolean on() {
        return !reason.isEmpty();
    }

    /** Returns the names of the exhausted resources; empty when no load is shed. */
    public String reason() {
        return reason;
    }

    void reason(String value) {
        reason = value;
    }

    /** Refuses an exchange because of the current overload. */
    public void refuse(Exchange exchange) {
        exchange.outcome().reason(reason);
        exchange.refuse(
                Refusal.OVERLOADED, LATER.get(ThreadLocalRandom.current().nextInt(LATER.size())));
    }
}
