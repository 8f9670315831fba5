package dev.postern.app.credential;

import dev.postern.auth.key.IssuerDirectory;
import dev.postern.auth.testing.HttpFixture;
import dev.postern.auth.testing.TokenMint;
import java.io.IOException;
import java.net.URI;

/** Serves the directory of an issuer with several keys, one of which it retires. */
final class Issuer implements AutoCloseable {

    private static final long NEXT_CENTURY = 4_102_444_800L;

    private final HttpFixture server = new HttpFixture();
    private final TokenMints mints;

    Issuer(TokenMints mints) throws IOException {
        this.mints = mints;
        list(listed(mints.retired(), 0));
    }

    /** Returns {@code host:port}, as in challenges. */
    String name() {
        return server.name();
    }

    URI directory() {
        return server.uri("/directory");
    }

    /** Removes that key from the directory. */
    void retire() {
        list("");
    }

    private void list(String last) {
        server.behave(HttpFixture.text(
                200,
                IssuerDirectory.MEDIA_TYPE,
                "{\"issuer-request-uri\":\"/request\",\"token-keys\":[" + listed(mints.current(), 0) + ","
                        + listed(mints.second(), 0) + "," + listed(mints.early(), NEXT_CENTURY) + ","
                        + listed(mints.revoked(), 0) + (last.isEmpty() ? "" : "," + last) + "]}"));
    }

    private static String listed(TokenMint mint, long notBefore) {
        return "{\"token-type\":2,\"token-key\":\"" + mint.publicKey() + "\",\"not-before\":" + notBefore + "}";
    }

    @Override
    public void close() {
        server.close();
    }
}
