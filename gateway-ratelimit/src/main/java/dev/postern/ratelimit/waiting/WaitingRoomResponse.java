package dev.postern.ratelimit.waiting;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.FrameAncestors;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waiting room responses: a page for browsers, in their language, and JSON for other clients. Thread-safe. */
public final class WaitingRoomResponse {

    /** Path of the queue position as JSON; the room's id follows. */
    public static final String POLL_PATH = "/.postern/room/";

    /** Time after which a client reconnects to a stream that broke off. */
    public static final long RECONNECT_MILLIS = 1_000;

    private static final String EVENTS = "text/event-stream";
    /** For proxies in front of the gateway that would otherwise buffer events. */
    private static final FieldName UNBUFFERED = FieldName.of("x-accel-buffering");

    private static final FieldName POSITION = FieldName.of("postern-queue-position");
    private static final FieldName VARY = FieldName.of("vary");
    private static final FieldName LANGUAGE = FieldName.of("content-language");
    private static final FieldName SECURITY = FieldName.of("content-security-policy");
    /** The page's styles and script are inline; nothing else may be loaded, and the script may connect only to this host. */
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors ";

    /** Lowest status with which a site says that it does not serve now. */
    private static final int UNSERVED = 429;

    private final WaitingPage page;
    private final WaitingLanguages languages;
    private final Field policy;

    /**
     * @param template HTML with placeholders, or null for the built-in page
     * @param settings languages of the page, and sites that may show the page in a frame
     * @throws IllegalArgumentException for an invalid template or invalid settings, with the reason
     */
    public WaitingRoomResponse(@Nullable String template, FairQueueSettings.Page settings) {
        this.page = template == null ? WaitingPage.builtIn() : WaitingPage.of(template);
        this.languages = WaitingLanguages.of(settings.languages());
        this.policy = Field.of(SECURITY, POLICY + FrameAncestors.directive(settings.frameAncestors()));
    }

    /** Returns the response to a request that must wait. */
    public LocalReply waiting(
            int status, QueuePosition position, Exchange exchange, String roomId, @Nullable String setCookie) {
        RequestHead request = exchange.request();
        List<Field> fields = fields(position, setCookie);
        fields.add(Field.of(VARY, "Accept, Accept-Language, Cookie"));
        if (wantsPage(request)) {
            String acceptLanguage = request.joined(FieldName.ACCEPT_LANGUAGE);
            WaitingText text = languages.text(acceptLanguage == null ? "" : acceptLanguage);
            fields.add(policy);
            fields.add(Field.of(LANGUAGE, text.language()));
            String html = page.render(
                    position,
                    text,
                    exchange.requestIdText(),
                    PageAddress.of(request.sentPath(), request.query()),
                    POLL_PATH + roomId,
                    !request.method().safe());
            return reply(status, "text/html; charset=utf-8", html, fields);
        }
        return reply(status, "application/json", position.json(), fields);
    }

    /** Returns the response to a poll; always 200, since the poll itself succeeded. */
    public static LocalReply poll(QueuePosition position, @Nullable String setCookie) {
        return reply(200, "application/json", position.json(), fields(position, setCookie));
    }

    /** Returns a stream of one event, for a client that does not wait. */
    public static LocalReply event(QueuePosition position) {
        return reply(200, EVENTS, eventText(position, RECONNECT_MILLIS), fields(position, null));
    }

    /** Returns the response head of an event stream. */
    public static ResponseHead streamHead(String setCookie) {
        ResponseHead head = new ResponseHead().status(200).bodyLength(ResponseHead.CHUNKED);
        head.add(FieldName.CONTENT_TYPE, EVENTS);
        head.add(FieldName.CACHE_CONTROL, "no-store");
        head.add(UNBUFFERED, "no");
        head.add(FieldName.SET_COOKIE, setCookie);
        return head;
    }

    /**
     * Returns the text of one event.
     *
     * @param reconnectMillis time after which the client reconnects when the stream has ended
     */
    public static String eventText(QueuePosition position, long reconnectMillis) {
        return "retry: " + reconnectMillis + "\ndata: " + position.json() + "\n";
    }

    private static LocalReply reply(int status, String type, String body, List<Field> fields) {
        return LocalReply.of(status, type, body, fields.toArray(Field[]::new));
    }

    /** Returns the header fields of every response to a waiting client. */
    public static List<Field> fields(QueuePosition position, @Nullable String setCookie) {
        List<Field> fields = new ArrayList<>(6);
        fields.add(Field.of(FieldName.RETRY_AFTER, Long.toString(QueuePosition.spread(position.retrySeconds()))));
        fields.add(Field.of(FieldName.CACHE_CONTROL, "no-store"));
        if (position.position() > 0) {
            fields.add(Field.of(POSITION, Long.toString(position.position())));
        }
        if (setCookie != null) {
            fields.add(Field.of(FieldName.SET_COOKIE, setCookie));
        }
        return fields;
    }

    /** Returns the header fields of a refusal of a request that gets no place: its position is 0. */
    public static List<Field> withoutPlace(RateLimitRule rule, long retryMicros) {
        List<Field> fields = new ArrayList<>(RateLimitHeaders.of(rule, retryMicros));
        fields.add(Field.of(POSITION, "0"));
        return fields;
    }

    /**
     * Marks a response of the site to a waiting page that asks whether its address leads there: its position is 0. Other systems in front of
     * the gateway, such as the login of a network, send no position.
     */
    public static void markSite(ResponseHead head) {
        if (head.status() < UNSERVED) {
            head.set(POSITION, "0");
        }
    }

    private static boolean wantsPage(RequestHead request) {
        String accept = request.joined(FieldName.ACCEPT);
        return accept != null && accept.contains("text/html");
    }

    /**
     * Address of a requested page relative to itself, without fragment: browsers that are to load it again by their address, such as {@code
     * /bread#crust}, would only move to the fragment. Relative, because a proxy before the gateway may have removed the begin of the path.
     */
    static final class PageAddress {

        /** Characters of a path segment or query (RFC 3986 sections 3.3 and 3.4) without the quote, and the percent sign of escapes. */
        private static final String PLAIN = "-._~!$&()*+,;=:@/?%";

        private PageAddress() {}

        /**
         * Returns the address, which begins with a dot and a slash, so that it can't name another site. Contains no character that ends an HTML
         * attribute.
         *
         * @param path as the client sent it
         * @param query with its {@code ?}, or empty; each char is a byte
         */
        static String of(String path, String query) {
            String rest = path.substring(path.lastIndexOf('/') + 1) + query;
            StringBuilder out = new StringBuilder(rest.length() + 16).append("./");
            for (int i = 0; i < rest.length(); i++) {
                char c = rest.charAt(i);
                boolean alphanumeric = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
                if (alphanumeric || PLAIN.indexOf(c) >= 0) {
                    out.append(c);
                } else {
                    out.append(String.format("%%%02X", c & 0xff));
                }
            }
            return out.toString();
        }
    }
}
