package dev.postern.core.refusal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.RequestHead;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two shapes of a refusal, made once for each, since a flood of refusals is what they are for.
 *
 * @param problem problem+json (RFC 9457), for programs; not copied
 * @param page HTML, for people; not copied
 */
record RefusalText(int status, byte[] problem, byte[] page) {

    private static final List<RefusalText> ALL =
            Arrays.stream(Refusal.values()).map(r -> make(r, r.status())).toList();
    private static final RefusalText PROXY_AUTHENTICATION = make(Refusal.TOKEN_REQUIRED, 407);

    /** @param forward whether to a client of a forward proxy */
    static RefusalText of(Refusal refusal, boolean forward) {
        return forward && refusal == Refusal.TOKEN_REQUIRED ? PROXY_AUTHENTICATION : ALL.get(refusal.ordinal());
    }

    /** Whether the client prefers a page: it accepts HTML and does not ask for JSON. */
    static boolean wantsPage(RequestHead request) {
        @Nullable String accept = request.joined(FieldName.ACCEPT);
        return accept != null && accept.contains("text/html");
    }

    private static RefusalText make(Refusal refusal, int status) {
        return new RefusalText(
                status,
                problem(refusal, status).getBytes(UTF_8),
                page(refusal, status).getBytes(UTF_8));
    }

    private static String problem(Refusal refusal, int status) {
        // Codes and advice are our own plain text: nothing in them needs escaping.
        return "{\"type\":\"about:blank\",\"status\":" + status + ",\"code\":\"" + refusal.code() + "\",\"blame\":\""
                + refusal.blame().label() + "\",\"detail\":\"" + refusal.advice() + "\"}\n";
    }

    private static String page(Refusal refusal, int status) {
        return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>" + status + "</title>"
                + "<style>:root{color-scheme:light dark}body{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;"
                + "margin:20vh auto;padding:0 1.5rem}code{opacity:.7}</style><h1>" + status + "</h1><p>"
                + refusal.advice()
                + "</p><p><code>" + refusal.code() + "</code></p></html>\n";
    }
}
