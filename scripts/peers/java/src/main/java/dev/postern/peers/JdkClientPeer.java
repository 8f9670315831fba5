package dev.postern.peers;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The client of {@code java.net.http}. */
final class JdkClientPeer implements HttpPeer {
    private final Map<String, HttpClient> clients = new HashMap<>();

    JdkClientPeer() {
        System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
    }

    @Override
    public Response send(Ask ask) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(ask.url())
                .timeout(Duration.ofSeconds(30))
                .method(ask.method(), body(ask))
                .expectContinue(ask.expectsContinue());
        ask.fields().forEach(field -> request.header(field.name(), field.value()));
        ask.proxyFields().forEach(field -> request.header(field.name(), field.value()));
        HttpClient client = clients.computeIfAbsent(ask.kind(), kind -> client(ask));
        HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
        List<Ask.Field> fields = new ArrayList<>();
        response.headers().map().forEach((name, values) -> values.forEach(value -> fields.add(new Ask.Field(name, value))));
        try (InputStream body = response.body()) {
            return Response.of(response.statusCode(), response.version() == HttpClient.Version.HTTP_2 ? "2" : "1", fields, body);
        }
    }

    private static BodyPublisher body(Ask ask) {
        if (!ask.hasBody()) {
            return BodyPublishers.noBody();
        }
        return ask.chunked() ? BodyPublishers.ofInputStream(ask::stream) : BodyPublishers.ofByteArray(ask.body());
    }

    private static HttpClient client(Ask ask) {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10));
        client.followRedirects(ask.follows() ? HttpClient.Redirect.NORMAL : HttpClient.Redirect.NEVER);
        if ("1".equals(ask.words().get("version"))) {
            client.version(HttpClient.Version.HTTP_1_1); // without it the client asks for an upgrade to h2c
        }
        if (ask.proxy() != null) {
            client.proxy(ProxySelector.of(new InetSocketAddress(ask.proxy().getHost(), ask.proxy().getPort())));
        }
        return client.build();
    }
}
