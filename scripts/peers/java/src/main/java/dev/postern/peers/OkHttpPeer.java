package dev.postern.peers;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okio.BufferedSink;
import okio.Okio;

/** OkHttp. */
final class OkHttpPeer implements HttpPeer {
    private final Map<String, OkHttpClient> clients = new HashMap<>();
    private volatile String proxyAuthorization = "";

    @Override
    public Response send(Ask ask) throws Exception {
        Request.Builder request = new Request.Builder().url(ask.url().toString()).method(ask.method(), body(ask));
        ask.fields().forEach(field -> request.addHeader(field.name(), field.value()));
        if (ask.expectsContinue()) {
            request.header("Expect", "100-continue");
        }
        proxyAuthorization = ask.proxyFields().isEmpty() ? "" : ask.proxyFields().get(0).value();
        try (okhttp3.Response response = clients.computeIfAbsent(ask.kind(), kind -> client(ask)).newCall(request.build()).execute()) {
            List<Ask.Field> fields = new ArrayList<>();
            response.headers().forEach(pair -> fields.add(new Ask.Field(pair.getFirst(), pair.getSecond())));
            boolean http1 = response.protocol() == Protocol.HTTP_1_1;
            return Response.of(response.code(), http1 ? "1" : "2", fields, response.body().byteStream());
        }
    }

    private static RequestBody body(Ask ask) {
        if (!ask.hasBody()) {
            return null;
        }
        return new RequestBody() {
            @Override
            public MediaType contentType() {
                return MediaType.get("application/octet-stream");
            }

            @Override
            public long contentLength() {
                return ask.chunked() ? -1 : ask.length();
            }

            @Override
            public void writeTo(BufferedSink sink) throws java.io.IOException {
                sink.writeAll(Okio.source(ask.stream()));
            }
        };
    }

    private OkHttpClient client(Ask ask) {
        OkHttpClient.Builder client = new OkHttpClient.Builder()
                .followRedirects(ask.follows())
                .retryOnConnectionFailure(false)
                .readTimeout(Duration.ofSeconds(30));
        if (ask.isHttp2() && ask.url().getScheme().equals("http")) {
            client.protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
        } else if ("1".equals(ask.words().get("version"))) {
            client.protocols(List.of(Protocol.HTTP_1_1));
        }
        if (ask.proxy() != null) {
            client.proxy(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(ask.proxy().getHost(), ask.proxy().getPort())));
            // OkHttp asks here for the credentials before it sends CONNECT too.
            client.proxyAuthenticator((route, response) -> proxyAuthorization.isEmpty() || response.request().header("Proxy-Authorization") != null
                    ? null
                    : response.request().newBuilder().header("Proxy-Authorization", proxyAuthorization).build());
        }
        return client.build();
    }
}
