package dev.postern.core.proxy;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.time.Duration;

/** Expectation rule: who decides whether a client that expects 100 (Continue) sends its body (RFC 9110 section 10.1.1). A plain rule. */
final class Expectation {

    /** Time in which the upstream may decide; then it ignores the field, and the client is told to send. As long as curl waits. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final String CONTINUE = "100-continue";

    private Expectation() {}

    /**
     * Removes the client's field, and writes the gateway's own where the upstream decides. Returns whether the body waits for the upstream:
     * only one that the client holds back and that is not empty.
     */
    static boolean forward(RequestHead request, boolean upstreamDecides) {
        request.remove(FieldName.EXPECT);
        boolean waits = upstreamDecides && request.expectsContinue() && request.hasBody();
        if (waits) {
            request.add(FieldName.EXPECT, CONTINUE);
        }
        return waits;
    }
}
