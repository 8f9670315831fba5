package dev.postern.auth.testing;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Subscription;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** HTTP client whose server is a handler in memory, as that of {@link HttpFixture}: each GET is answered before the call returns. */
public final class MemoryHttp extends HttpClient {

    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);

    private @Nullable HttpHandler behaviour;
    private int requests;

    /** Serves all requests by the handler from now on. */
    public void behave(HttpHandler next) {
        behaviour = next;
    }

    /** Refuses connections from now on. */
    public void stop() {
        behaviour = null;
    }

    public int requests() {
        return requests;
    }

    @SuppressWarnings("MethodMayBeStatic") // as that of HttpFixture
    public URI uri(String path) {
        return URI.create("http://issuer.example:8443" + path);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> body) {
        HttpHandler handler = behaviour;
        if (handler == null) {
            return CompletableFuture.failedFuture(new ConnectException());
        }
        requests++;
        Exchange<T> exchange = new Exchange<>(request, body);
        try {
            handler.handle(exchange);
            exchange.close();
        } catch (IOException e) {
            exchange.fail(e);
        }
        return exchange.response();
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) {
        return sendAsync(request, body).join();
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> body, @Nullable PushPromiseHandler<T> pushes) {
        return sendAsync(request, body);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
        return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return Optional.empty();
    }

    @Override
    public SSLContext sslContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SSLParameters sslParameters() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return Optional.empty();
    }

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    @Override
    public Optional<Executor> executor() {
        return Optional.empty();
    }

    /** Response as the client sees it. */
    private record Response<T>(HttpRequest request, int statusCode, HttpHeaders headers, T body)
            implements HttpResponse<T> {

        @Override
        public Optional<HttpResponse<T>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<javax.net.ssl.SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }
    }

    private record Info(int statusCode, HttpHeaders headers) implements ResponseInfo {

        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }
    }

    /** Exchange as the handler sees it; what it writes goes to the client at once. */
    private static final class Exchange<T> extends HttpExchange implements Subscription {

        private final HttpRequest request;
        private final BodyHandler<T> handler;
        private final Headers asked = new Headers();
        private final Headers responded = new Headers();
        private final CompletableFuture<HttpResponse<T>> response = new CompletableFuture<>();
        private final OutputStream out = new Out();
        private @Nullable BodySubscriber<T> body;
        private int status = -1;
        private boolean cancelled;
        private boolean closed;

        Exchange(HttpRequest request, BodyHandler<T> handler) {
            this.request = request;
            this.handler = handler;
            request.headers().map().forEach(asked::put);
        }

        CompletableFuture<HttpResponse<T>> response() {
            return response;
        }

        void fail(IOException cause) {
            response.completeExceptionally(cause);
        }

        @Override
        public void sendResponseHeaders(int code, long length) {
            status = code;
            HttpHeaders headers = HttpHeaders.of(Map.copyOf(responded), (name, value) -> true);
            BodySubscriber<T> subscriber = handler.apply(new Info(code, headers));
            body = subscriber;
            subscriber.onSubscribe(this);
            subscriber.getBody().whenComplete((content, failure) -> {
                if (failure == null) {
                    response.complete(new Response<>(request, code, headers, content));
                } else {
                    response.completeExceptionally(failure);
                }
            });
        }

        @Override
        public void request(long pieces) {}

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public void close() {
            BodySubscriber<T> subscriber = body;
            if (closed || subscriber == null || cancelled) {
                return;
            }
            closed = true;
            subscriber.onComplete();
        }

        /** Body of the response. */
        private final class Out extends OutputStream {

            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                BodySubscriber<T> subscriber = body;
                if (subscriber == null || cancelled) {
                    throw new IOException("the client has gone");
                }
                subscriber.onNext(List.of(ByteBuffer.wrap(Arrays.copyOfRange(bytes, offset, offset + length))));
            }
        }

        @Override
        public Headers getRequestHeaders() {
            return asked;
        }

        @Override
        public Headers getResponseHeaders() {
            return responded;
        }

        @Override
        public URI getRequestURI() {
            return request.uri();
        }

        @Override
        public String getRequestMethod() {
            return request.method();
        }

        @Override
        public InputStream getRequestBody() {
            return new ByteArrayInputStream(new byte[0]);
        }

        @Override
        public OutputStream getResponseBody() {
            return out;
        }

        @Override
        public InetSocketAddress getRemoteAddress() {
            return CLIENT;
        }

        @Override
        public int getResponseCode() {
            return status;
        }

        @Override
        public InetSocketAddress getLocalAddress() {
            return CLIENT;
        }

        @Override
        public String getProtocol() {
            return "HTTP/1.1";
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            return null;
        }

        @Override
        public void setAttribute(String name, Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setStreams(InputStream in, OutputStream replaced) {
            throw new UnsupportedOperationException();
        }

        @Override
        public HttpContext getHttpContext() {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable HttpPrincipal getPrincipal() {
            return null;
        }
    }
}
