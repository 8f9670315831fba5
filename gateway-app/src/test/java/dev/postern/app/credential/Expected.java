package dev.postern.app.credential;

/** How a gateway must answer a credential: what the client sees, and what only the operator's log tells. */
enum Expected {
    GOOD(200, 200, "", "", true),
    MISSING(401, 407, "token-required", "missing", true),
    GREASE(401, 407, "token-required", "grease", true),
    UNSUPPORTED(401, 407, "token-required", "unsupported-type", true),
    UNKNOWN_KEY(401, 407, "token-required", "unknown-key", true),
    WRONG_CHALLENGE(401, 407, "token-required", "wrong-challenge", true),
    INVALID(401, 407, "token-required", "invalid", true),
    SPENT(401, 407, "token-required", "spent", true),
    MALFORMED(400, 400, "credentials-malformed", "malformed", true),
    /** Not even HTTP: where the next request begins is anybody's guess. */
    NOT_HTTP(400, 400, "request-malformed", "", false),
    TOO_LARGE(431, 431, "head-too-large", "", false);

    private final int atSite;
    private final int onWayOut;
    private final String code;
    private final String reason;
    private final boolean open;

    /**
     * @param atSite status of a reverse listener
     * @param onWayOut status of a forward listener
     * @param code what the client reads; empty when it is served
     * @param reason what the log says beside it
     * @param open whether the connection can be used for another request
     */
    Expected(int atSite, int onWayOut, String code, String reason, boolean open) {
        this.atSite = atSite;
        this.onWayOut = onWayOut;
        this.code = code;
        this.reason = reason;
        this.open = open;
    }

    int status(Door door) {
        return door == Door.ORIGIN_FORM ? atSite : onWayOut;
    }

    String code() {
        return code;
    }

    String reason() {
        return reason;
    }

    boolean open() {
        return open;
    }

    boolean good() {
        return this == GOOD;
    }

    /** Whether the response carries challenges. */
    boolean challenges() {
        return code.equals("token-required");
    }
}
