package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Tests that the Compose file with nginx has the configuration of the page, which other tests start. */
class ComposedNginxTest {

    @Test
    void hasTheConfigurationOfThePage() throws IOException {
        String expected = ProxyPage.read()
                .file("nginx/nginx.conf")
                .replace("server 127.0.0.1:9190;", "server gateway:9190;")
                .replace("server 127.0.0.1:9000;", "server origin:80;")
                .replace("listen 127.0.0.1:8080;", "listen 8080;")
                .replace("access_log access.log", "access_log /dev/stdout")
                .replaceAll("(?m)^    (listen 127\\.0\\.0\\.1:8443|ssl_).*\n", "");

        assertThat(Files.readString(ProxyPage.root().resolve("docker/with-nginx/nginx.conf")))
                .isEqualTo(expected)
                .contains("server gateway:9190;", "server origin:80;", "listen 8080;", "/dev/stdout")
                .doesNotContain("127.0.0.1", "ssl");
    }
}
