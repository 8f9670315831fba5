package dev.postern.app.client;

import dev.postern.auth.token.Token;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Client of a site over HTTP/1.1. Thread-safe. */
public final class SiteClient {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final HttpClient http;
    private final Map<String, List<String>> always;

    public SiteClient() {
        this(null, null, Map.of());
    }

    /**
     * @param tls TLS context with the trusted certificates, or null for those of the platform
     * @param proxies selects the proxy of each request, or null for direct connections
     * @param always additional fields of every request
     */
    public SiteClient(@Nullable SSLContext tls, @Nullable ProxySelector proxies, Map<String, List<String>> always) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5));
        if (tls != null) {
            builder.sslContext(tls);
        }
        if (proxies != null) {
            builder.proxy(proxies);
        }
        this.http = builder.build();
        this.always = Map.copyOf(always);
    }

    /** Returns the value of Authorization or Proxy-Authorization for the token (RFC 9577 section 2.2.2). */
    public static String credential(Token token) {
        return "PrivateToken token=\"" + token.encoded() + "\"";
    }

    /** @param fields of the request, such as Authorization or Cookie */
    public ClientResponse get(URI uri, Map<String, String> fields) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(DEADLINE).GET();
        always.forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        fields.forEach(request::header);
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        Map<String, List<String>> lower = new HashMap<>();
        response.headers().map().forEach((name, values) -> lower.put(name.toLowerCase(Locale.ROOT), values));
        return new ClientResponse(response.statusCode(), lower, response.body());
    }
}
