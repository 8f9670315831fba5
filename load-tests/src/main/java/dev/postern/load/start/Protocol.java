package dev.postern.load.start;

/** Protocol between clients and gateway. */
enum Protocol {
    CLEAR_TEXT("clear-text", "http", ""),
    TLS("tls", "https", " tls");

    private final String text;
    private final String scheme;
    private final String question;

    Protocol(String text, String scheme, String question) {
        this.text = text;
        this.scheme = scheme;
        this.question = question;
    }

    String text() {
        return text;
    }

    String scheme() {
        return scheme;
    }

    /** Returns the end of the questions to {@link dev.postern.load.worker.NewcomerWorker}. */
    String question() {
        return question;
    }
}
