package dev.postern.peers;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;

/** Apache HttpClient 5, the classic one. */
final class Apache5Peer implements HttpPeer {
    private final Map<String, CloseableHttpClient> clients = new HashMap<>();

    @Override
    public Response send(Ask ask) throws Exception {
        HttpUriRequestBase request = new HttpUriRequestBase(ask.method(), ask.url());
        request.setConfig(RequestConfig.custom()
                .setExpectContinueEnabled(ask.expectsContinue())
                .setRedirectsEnabled(ask.follows())
                .setResponseTimeout(30, TimeUnit.SECONDS)
                .build());
        ask.fields().forEach(field -> request.addHeader(field.name(), field.value()));
        if (ask.hasBody()) {
            ContentType type = ContentType.APPLICATION_OCTET_STREAM;
            request.setEntity(ask.chunked() ? new InputStreamEntity(ask.stream(), type) : new ByteArrayEntity(ask.body(), type));
        }
        return clients.computeIfAbsent(ask.kind(), kind -> client(ask)).execute(request, Apache5Peer::read);
    }

    private static CloseableHttpClient client(Ask ask) {
        HttpHost proxy = ask.proxy() == null ? null : new HttpHost(ask.proxy().getHost(), ask.proxy().getPort());
        return HttpClients.custom().setProxy(proxy).disableAutomaticRetries().build();
    }

    private static Response read(ClassicHttpResponse response) {
        List<Ask.Field> fields = new ArrayList<>();
        for (Header header : response.getHeaders()) {
            fields.add(new Ask.Field(header.getName(), header.getValue()));
        }
        HttpEntity entity = response.getEntity();
        try (InputStream body = entity == null ? null : entity.getContent()) {
            return Response.of(response.getCode(), "1", fields, body);
        } catch (Exception e) {
            throw new IllegalStateException("the body", e);
        }
    }
}
