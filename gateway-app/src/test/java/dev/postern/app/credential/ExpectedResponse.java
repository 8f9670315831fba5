package dev.postern.app.credential;

/** Required responses to a credential: what the client receives, and what only the log contains. */
enum ExpectedResponse {
    GOOD(200, 200, "", "", true),
    MISSING(401, 407, "token-required", "missing", true),
    GREASE(401, 407, "token-required", "grease", true),
    UNSUPPORTED(401, 407, "token-required", "unsupported-type", true),
    UNKNOWN_KEY(401, 407, "token-required", "unknown-key", true),
    WRONG_CHALLENGE(401, 407, "token-required", "wrong-challenge", true),
    INVALID(401, 407, "token-required", "invalid", true),
    SPENT(401, 407, "token-required", "spent", true),
    MALFORMED(400, 400, "credentials-malformed", "malformed", true),
    /** Invalid HTTP: the start of the next request is unknown. */
    NOT_HTTP(400, 400, "request-malformed", "", false),
    TOO_LARGE(431, 431, "head-too-large", "", false);

    private final int onReverseListener;
    private final int onForwardListener;
    private final String code;
    private final String reason;
    private final boolean open;

    /**
     * @param onReverseListener status of a reverse listener
     * @param onForwardListener status of a forward listener
     * @param code in the response; empty for a forwarded request
     * @param reason in the log
     * @param open whether the connection remains usable
     */
    ExpectedResponse(int onReverseListener, int onForwardListener, String code, String reason, boolean open) {
        this.onReverseListener = onReverseListener;
        this.onForwardListener = onForwardListener;
        this.code = code;
        this.reason = reason;
        this.open = open;
    }

    int status(RequestForm form) {
        return form == RequestForm.ORIGIN_FORM ? onReverseListener : onForwardListener;
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

    /** Returns whether the response contains challenges. */
    boolean challenges() {
        return code.equals("token-required");
    }
}
