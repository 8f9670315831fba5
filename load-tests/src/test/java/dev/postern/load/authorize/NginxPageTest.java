package dev.postern.load.authorize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NginxPageTest {
    private static final String PAGE = """
            # Beside your proxy

            ```yaml nginx/gateway.yaml
            listeners: []
            ```

            ```nginx nginx/nginx.conf
            events {}
            http {
              log_format postern '$status';
              access_log access.log postern;
              upstream postern { server 127.0.0.1:9190; keepalive 32; }
              upstream site { server 127.0.0.1:9000; keepalive 32; }
              server {
                listen 127.0.0.1:8080;
                listen 127.0.0.1:8443 ssl http2;
                ssl_certificate site.crt;
                location = /_postern/question {
                  proxy_pass http://postern/question;
                }
                location / {
                  auth_request /_postern/question;
                  proxy_pass http://site;
                }
              }
            }
            ```

            ```caddyfile caddy/Caddyfile
            http {
            }
            ```
            """;

    private final NginxPage page = NginxPage.of(PAGE);

    @Test
    void takesTheSectionsWithoutLogsAndCertificates() {
        assertThat(page.with(1, 2, 3).sections()).isEqualTo("""
              upstream postern { server 127.0.0.1:2; keepalive 32; }
              upstream site { server 127.0.0.1:3; keepalive 32; }
              server {
                listen 127.0.0.1:1;
                location = /_postern/question {
                  proxy_pass http://postern/question;
                }
                location / {
                  auth_request /_postern/question;
                  proxy_pass http://site;
                }
              }
            """);
    }

    @Test
    void changesTheQuestionAlone() {
        assertThat(page.asking("/oauth2/auth").sections())
                .contains("proxy_pass http://postern/oauth2/auth;", "auth_request /_postern/question;");
        assertThat(page.allowing().sections()).contains("return 200;").doesNotContain("http://postern");
        assertThat(page.silent().sections()).contains("http://postern/question").doesNotContain("auth_request");
    }

    @Test
    void namesWhatThePageLacks() {
        assertThatThrownBy(() -> NginxPage.of("# Beside your proxy"))
                .hasMessageContaining("no block nginx/nginx.conf")
                .hasMessageContaining("authorize.md");
        assertThatThrownBy(() -> page.silent().silent()).hasMessageContaining("no auth_request /_postern/question;");
    }

    /** The benchmark runs what the page shows. */
    @Test
    void thePageHasAllThatTheBenchmarkChanges() throws IOException {
        NginxPage shown = NginxPage.of(Files.readString(Path.of("..", "docs", "authorize.md")));

        assertThat(shown.with(1, 2, 3).sections())
                .contains("listen 127.0.0.1:1;", "server 127.0.0.1:2;", "server 127.0.0.1:3;")
                .doesNotContain("ssl", "access_log");
        assertThat(shown.asking("/other").silent().sections())
                .isNotEqualTo(shown.allowing().sections());
    }
}
