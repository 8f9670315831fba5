package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.spi.Decision;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refusal renderer: the two bodies of a refusal. Those of the table are rendered once, since the gateway may send them at a high rate.
 *
 * @param problem problem+json (RFC 9457), for programs
 * @param page HTML, for people
 */
record RefusalRenderer(int status, Body problem, Supplier<BuiltInPage> page) {

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
        Decision.Refused refused = new Decision.Refused(status, refusal.code(), refusal.advice());
        BuiltInPage page = BuiltInPage.of(refusal, refused);
        return of(refused, refusal.blame(), () -> page);
    }

    /** Renders a refusal that is not in the table {@link Refusal}. */
    static RefusalRenderer of(Decision.Refused refusal, FaultDomain blame) {
        return of(refusal, blame, () -> BuiltInPage.of(refusal));
    }

    private static RefusalRenderer of(Decision.Refused refusal, FaultDomain blame, Supplier<BuiltInPage> page) {
        return new RefusalRenderer(
                refusal.status(), Body.of(problem(refusal, blame), ",\"request-id\":\"", "\"", "}\n"), page);
    }

    /** Returns the problem+json; without an id it is not copied. */
    byte[] problem(@Nullable Field requestId) {
        return problem.with(requestId);
    }

    /** Returns the page in the language of the client; without an id it is not copied. */
    byte[] page(Exchange exchange) {
        return page.get()
                .in(exchange.request().joined(FieldName.ACCEPT_LANGUAGE))
                .with(exchange.requestId());
    }

    /**
     * Body with a place for the id of the request.
     *
     * @param whole the body without an id
     * @param before what precedes the id, with what precedes that
     * @param after what follows the id, to the end of the body
     */
    record Body(byte[] whole, byte[] before, byte[] after) {

        static Body of(String start, String label, String labelEnd, String end) {
            return new Body(bytes(start + end), bytes(start + label), bytes(labelEnd + end));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(UTF_8);
        }

        byte[] with(@Nullable Field requestId) {
            return requestId == null ? whole : joined(requestId.value().getBytes(UTF_8));
        }

        private byte[] joined(byte[] id) {
            byte[] all = Arrays.copyOf(before, before.length + id.length + after.length);
            System.arraycopy(id, 0, all, before.length, id.length);
            System.arraycopy(after, 0, all, before.length + id.length, after.length);
            return all;
        }
    }

    private static String problem(Decision.Refused refusal, FaultDomain blame) {
        return "{\"type\":\"about:blank\",\"status\":" + refusal.status() + ",\"code\":\"" + refusal.code()
                + "\",\"blame\":\"" + blame.label() + "\",\"detail\":\"" + json(refusal.detail()) + "\"";
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
}
