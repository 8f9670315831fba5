package dev.postern.app.credential;

import dev.postern.core.testing.RawClient;
import java.util.Locale;

/** Forms of a request with a token: the form of the request target, and the fields that belong to it. */
enum RequestForm {
    ORIGIN_FORM("web", "Authorization", "WWW-Authenticate"),
    ABSOLUTE_FORM("out", "Proxy-Authorization", "Proxy-Authenticate"),
    CONNECT("out", "Proxy-Authorization", "Proxy-Authenticate");

    private final String listener;
    private final String field;
    private final String challengeField;

    RequestForm(String listener, String field, String challengeField) {
        this.listener = listener;
        this.field = field;
        this.challengeField = challengeField;
    }

    String listener() {
        return listener;
    }

    /** Returns the name of the field with credentials. */
    String field() {
        return field;
    }

    String challengeField() {
        return challengeField;
    }

    /** Returns the name of the field with credentials on listeners of the other mode. */
    String otherField() {
        return this == ORIGIN_FORM ? ABSOLUTE_FORM.field : ORIGIN_FORM.field;
    }

    /**
     * Sends a request and reads its response.
     *
     * @param origin {@code host:port} of the origin, for forms in which the client names it
     * @param fields complete lines
     */
    RawClient.Response ask(RawClient client, String origin, String fields) {
        return switch (this) {
            case ORIGIN_FORM ->
                client.send("GET /page HTTP/1.1\r\nHost: site.example\r\n" + fields + "\r\n")
                        .read();
            case ABSOLUTE_FORM ->
                client.send("GET http://" + origin + "/page HTTP/1.1\r\nHost: " + origin + "\r\n" + fields + "\r\n")
                        .read();
            case CONNECT ->
                client.send("CONNECT " + origin + " HTTP/1.1\r\nHost: " + origin + "\r\n" + fields + "\r\n")
                        .readConnect();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
