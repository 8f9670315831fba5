package dev.postern.app.cli.init;

import dev.postern.auth.AuthSettings;
import dev.postern.core.config.Spelling;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Answers from which a first configuration is written.
 *
 * @param site where the gateway finds the site
 * @param host that visitors use
 * @param certificate of the host; null if another program ends TLS
 * @param room number of people at a time; 0 for no waiting room
 * @param issuer of tokens; null for none. At least one of room and issuer is given
 */
record Answers(
        Site site,
        String host,
        @Nullable Certificate certificate,
        int room,
        @Nullable String issuer) {

    static final int LARGEST_ROOM = 1_000_000;

    /** Files in PEM: the chain, leaf first, and the key. */
    record Certificate(Path chain, Path key) {}

    /** Returns the host in normal form; throws {@link IllegalArgumentException} with the expected form as its message. */
    static String host(String text) {
        String host = Spelling.host(text);
        if (host.contains("*") || !Spelling.isHost(host) || !AuthSettings.isOriginName(host)) {
            throw new IllegalArgumentException("one host name, such as shop.example, without a port");
        }
        return host;
    }

    /** Returns the number of people; throws {@link IllegalArgumentException} with the expected range as its message. */
    static int room(String text) {
        int room = text.matches("\\d{1,7}") ? Integer.parseInt(text) : -1;
        if (room < 0 || room > LARGEST_ROOM) {
            throw new IllegalArgumentException("0.." + LARGEST_ROOM);
        }
        return room;
    }

    /** Returns the name of an issuer; throws {@link IllegalArgumentException} with the expected form as its message. */
    static String issuer(String text) {
        if (!text.matches("[a-z0-9._-]{1,249}(:\\d{1,5})?")) {
            throw new IllegalArgumentException(
                    "the host name of an issuer, such as issuer.example, and its port if not 443");
        }
        return text;
    }

    /** Returns the host of an issuer without its port. */
    static String hostOf(String issuer) {
        int colon = issuer.indexOf(':');
        return colon < 0 ? issuer : issuer.substring(0, colon);
    }
}
