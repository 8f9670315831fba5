package dev.postern.core.refusal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.RequestHead;
import org.jspecify.annotations.Nullable;

/** The two shapes of a refusal: problem+json (RFC 9457) for programs, a page for people. */
final class RefusalText {

    private RefusalText() {}

    /** Whether the client prefers a page: it accepts HTML and does not ask for JSON. */
    static boolean wantsPage(RequestHead request) {
        @Nullable String accept = request.joined(FieldName.ACCEPT);
        return accept != null && accept.contains("text/html");
    }

    static byte[] problem(Refusal refusal, int status) {
        // Codes and advice are our own plain text: nothing in them needs escaping.
        String json = "{\"type\":\"about:blank\",\"status\":" + status + ",\"code\":\"" + refusal.code()
                + "\",\"blame\":\"" + refusal.blame().label() + "\",\"detail\":\"" + refusal.advice() + "\"}\n";
        return json.getBytes(UTF_8);
    }

    static byte[] page(Refusal refusal, int status) {
        String html = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>" + status + "</title>"
                + "<style>:root{color-scheme:light dark}body{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;"
                + "margin:20vh auto;padding:0 1.5rem}code{opacity:.7}</style><h1>" + status + "</h1><p>"
                + refusal.advice()
                + "</p><p><code>" + refusal.code() + "</code></p></html>\n";
        return html.getBytes(UTF_8);
    }
}
