package dev.postern.app.cli.init;

import dev.postern.auth.key.IssuerSettings;
import dev.postern.core.config.HostPort;

/** Text of a first configuration, with comments. Its ring is the file {@code ring} beside it. */
final class FirstConfiguration {

    /** Name of the file with the key ring, in the folder of the configuration. */
    static final String RING = "ring";

    private final Answers answers;

    FirstConfiguration(Answers answers) {
        this.answers = answers;
    }

    /** Returns the whole text. */
    String text() {
        return """
                # Configuration of Postern, begun by "postern init". docs/configuration.md has every key with its default.
                # "postern check -c FILE" finds mistakes; SIGHUP or "systemctl reload postern" applies changes.

                # Seals challenges, cookies and tickets. Keep it secret; several gateways need the same file.
                secrets: {ring-file: ring}

                """ + listener() + tokens() + room() + site();
    }

    private String listener() {
        Answers.Certificate certificate = answers.certificate();
        if (certificate == null) {
            return """
                    listeners:
                      - name: web
                        # Reached from this machine only: a proxy here ends TLS and names the client in X-Forwarded-For.
                        address: "127.0.0.1:8080"
                        trusted-proxies: [127.0.0.0/8]

                    """;
        }
        return """
                listeners:
                  - name: web
                    address: "0.0.0.0:443"
                    tls:
                      certificates:
                        # Read again when they change; no reload is needed.
                        - certificate-file: %s
                          private-key-file: %s

                """.formatted(
                quoted(certificate.chain().toString()), quoted(certificate.key().toString()));
    }

    private String tokens() {
        String issuer = answers.issuer();
        if (issuer == null) {
            return "";
        }
        boolean local = new HostPort(Answers.hostOf(issuer), 1).loopback();
        String directory = (local ? "http://" : "https://") + issuer + IssuerSettings.WELL_KNOWN;
        return """
                # Tokens (Privacy Pass). To count first and refuse nothing: enforcement: report-only.
                privacy-pass:
                  origin-names: [%s]
                  issuers:
                    - name: %s
                      directory: %s

                """.formatted(quoted(answers.host()), quoted(issuer), quoted(directory));
    }

    private String room() {
        return answers.room() == 0 ? "" : """
                # The waiting room: so many people use the site at a time, the others wait in order of arrival.
                rate-limits:
                  - name: room
                    fair-queue: {active-sessions: %d}

                """.formatted(answers.room());
    }

    private String site() {
        return """
                upstreams:
                  - name: site
                    endpoints: [%s]
                %s
                routes:
                  - host: %s
                    path: /
                    upstream: site
                %s""".formatted(
                        quoted(answers.site().endpoint()),
                        answers.site().tls() ? "    tls: {}\n" : "",
                        quoted(answers.host()),
                        admission());
    }

    /** Returns what a visitor needs. */
    private String admission() {
        String limit = answers.room() == 0 ? "" : "    rate-limit: room\n";
        if (answers.issuer() == null) {
            return "    token: off\n" + limit;
        }
        return answers.room() == 0
                ? "    # The first token of a browser buys a session cookie; for programs: required, one token for each request.\n"
                        + "    token: session\n"
                : "    # Visitors with a token go first.\n    token: optional\n" + limit;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
