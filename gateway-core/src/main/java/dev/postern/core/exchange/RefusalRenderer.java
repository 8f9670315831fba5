package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.spi.Decision;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refusal renderer: the two bodies of a refusal, each rendered once, since the gateway may send refusals at a high rate.
 *
 * @param problem problem+json (RFC 9457), for programs; not copied
 * @param page HTML, for people; not copied
 */
record RefusalRenderer(int status, byte[] problem, byte[] page) {

    /** Explanation for people whose browser does not support challenges. */
    private static final String ABOUT_TOKENS =
            "<p>A token shows that an issuer trusts its holder, but not who the holder is. Browsers and apps that"
                    + " know Privacy Pass get tokens by themselves; this one sent none that is still good. Another"
                    + " browser or the app of this site may: ask the site which.</p><p>Read on: <a"
                    + " href=\"https://www.rfc-editor.org/rfc/rfc9576\">how Privacy Pass works (RFC 9576)</a></p>";

    private static final List<RefusalRenderer> ALL =
            Arrays.stream(Refusal.values()).map(r -> make(r, r.status())).toList();
    private static final RefusalRenderer PROXY_AUTHENTICATION = make(Refusal.TOKEN_REQUIRED, 407);

    /** @param forward whether the client uses a forward proxy */
    static RefusalRenderer of(Refusal refusal, boolean forward) {
        return forward && refusal == Refusal.TOKEN_REQUIRED ? PROXY_AUTHENTICATION : ALL.get(refusal.ordinal());
    }

    /** Returns whether the client prefers a page: its request accepts HTML and does not list JSON. */
    static boolean wantsPage(RequestHead request) {
        @Nullable String accept = request.joined(FieldName.ACCEPT);
        return accept != null && accept.contains("text/html");
    }

    private static RefusalRenderer make(Refusal refusal, int status) {
        return of(
                new Decision.Refused(status, refusal.code(), refusal.advice()),
                refusal.blame(),
                refusal == Refusal.TOKEN_REQUIRED ? ABOUT_TOKENS : "");
    }

    /** Renders a refusal that is not in the table {@link Refusal}. */
    static RefusalRenderer of(Decision.Refused refusal, FaultDomain blame) {
        return of(refusal, blame, "");
    }

    private static RefusalRenderer of(Decision.Refused refusal, FaultDomain blame, String more) {
        return new RefusalRenderer(
                refusal.status(),
                problem(refusal, blame).getBytes(UTF_8),
                page(refusal, more).getBytes(UTF_8));
    }

    private static String problem(Decision.Refused refusal, FaultDomain blame) {
        return "{\"type\":\"about:blank\",\"status\":" + refusal.status() + ",\"code\":\"" + refusal.code()
                + "\",\"blame\":\"" + blame.label() + "\",\"detail\":\"" + json(refusal.detail()) + "\"}\n";
    }

    private static String json(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String html(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String page(Decision.Refused refusal, String more) {
        int status = refusal.status();
        return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>" + status + "</title>"
                + "<style>:root{color-scheme:light dark}body{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;"
                + "margin:20vh auto;padding:0 1.5rem}code{opacity:.7}</style><main><h1>" + status + "</h1><p>"
                + html(refusal.detail())
                + "</p>" + more + "<p><code>" + refusal.code() + "</code></p></main></html>\n";
    }
}
