package dev.postern.peers;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.http.Header;
import org.apache.http.HttpEntity;
import org.apache.http.HttpHost;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.entity.InputStreamEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;

/** Apache HttpClient 4.5. */
final class Apache4Peer implements HttpPeer {
    private final Map<String, CloseableHttpClient> clients = new HashMap<>();

    @Override
    public Response send(Ask ask) throws Exception {
        RequestConfig.Builder config = RequestConfig.custom()
                .setExpectContinueEnabled(ask.expectsContinue())
                .setRedirectsEnabled(ask.follows())
                .setNormalizeUri(false)
                .setConnectTimeout(10_000)
                .setSocketTimeout(30_000);
        if (ask.proxy() != null) {
            config.setProxy(new HttpHost(ask.proxy().getHost(), ask.proxy().getPort()));
        }
        RequestBuilder request = RequestBuilder.create(ask.method()).setUri(ask.url()).setConfig(config.build());
        ask.fields().forEach(field -> request.addHeader(field.name(), field.value()));
        if (ask.hasBody()) {
            request.setEntity(ask.chunked() ? new InputStreamEntity(ask.stream()) : new ByteArrayEntity(ask.body()));
        }
        CloseableHttpClient client =
                clients.computeIfAbsent(ask.kind(), kind -> HttpClients.custom().disableAutomaticRetries().build());
        try (CloseableHttpResponse response = client.execute(request.build())) {
            return read(response);
        }
    }

    private static Response read(CloseableHttpResponse response) throws Exception {
        List<Ask.Field> fields = new ArrayList<>();
        for (Header header : response.getAllHeaders()) {
            fields.add(new Ask.Field(header.getName(), header.getValue()));
        }
        HttpEntity entity = response.getEntity();
        try (InputStream body = entity == null ? null : entity.getContent()) {
            return Response.of(response.getStatusLine().getStatusCode(), "1", fields, body);
        }
    }
}
