package dev.postern.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The client of {@code java.net.URL}. */
final class UrlConnectionPeer implements HttpPeer {
    UrlConnectionPeer() {
        System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
    }

    @Override
    public Response send(Ask ask) throws Exception {
        Proxy proxy = ask.proxy() == null
                ? Proxy.NO_PROXY
                : new Proxy(Proxy.Type.HTTP, new InetSocketAddress(ask.proxy().getHost(), ask.proxy().getPort()));
        HttpURLConnection connection = (HttpURLConnection) ask.url().toURL().openConnection(proxy);
        connection.setRequestMethod(ask.method());
        connection.setInstanceFollowRedirects(ask.follows());
        connection.setConnectTimeout(10_000);
        connection.setReadTimeout(30_000);
        ask.fields().forEach(field -> connection.addRequestProperty(field.name(), field.value()));
        ask.proxyFields().forEach(field -> connection.addRequestProperty(field.name(), field.value()));
        if (ask.expectsContinue()) {
            connection.setRequestProperty("Expect", "100-continue");
        }
        if (ask.hasBody()) {
            write(connection, ask);
        }
        return read(connection);
    }

    private static void write(HttpURLConnection connection, Ask ask) throws IOException {
        connection.setDoOutput(true);
        if (ask.chunked()) {
            connection.setChunkedStreamingMode(8_192);
        } else {
            connection.setFixedLengthStreamingMode(ask.length());
        }
        try (OutputStream out = connection.getOutputStream()) {
            ask.stream().transferTo(out);
        } catch (IOException e) {
            // As careful programs do: what the server said may explain why it reads no further.
            if (connection.getResponseCode() < 400) {
                throw e;
            }
        }
    }

    private static Response read(HttpURLConnection connection) throws Exception {
        int status = connection.getResponseCode();
        List<Ask.Field> fields = new ArrayList<>();
        for (Map.Entry<String, List<String>> entry : connection.getHeaderFields().entrySet()) {
            if (entry.getKey() != null) {
                entry.getValue().forEach(value -> fields.add(new Ask.Field(entry.getKey(), value)));
            }
        }
        try (InputStream body = status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
            return Response.of(status, "1", fields, body);
        }
    }
}
