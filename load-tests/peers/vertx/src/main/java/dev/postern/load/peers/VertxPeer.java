package dev.postern.load.peers;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyResponse;

/**
 * Vert.x http-proxy with one event loop on epoll, kept-alive upstream connections and the fields that the gateway adds.
 * Arguments: port, upstream port.
 */
public final class VertxPeer extends VerticleBase {
    private static final int MOST_CONNECTIONS = 4096;
    private static final String LOOPBACK = "127.0.0.1";

    private final int port;
    private final int upstreamPort;

    private VertxPeer(int port, int upstreamPort) {
        this.port = port;
        this.upstreamPort = upstreamPort;
    }

    public static void main(String... arguments) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        if (!vertx.isNativeTransportEnabled()) {
            throw new IllegalStateException("transport: nio (expected: epoll)", vertx.unavailableNativeTransportCause());
        }
        vertx.deployVerticle(new VertxPeer(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1])))
                .onFailure(problem -> {
                    problem.printStackTrace();
                    System.exit(1);
                });
    }

    @Override
    public Future<?> start() {
        HttpProxy proxy = HttpProxy.reverseProxy(vertx.createHttpClient(
                        new HttpClientOptions().setKeepAlive(true).setKeepAliveTimeout(600),
                        new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS)))
                .origin(upstreamPort, LOOPBACK)
                .addInterceptor(new ForwardedFields());
        return vertx.createHttpServer(new HttpServerOptions().setAcceptBacklog(MOST_CONNECTIONS))
                .requestHandler(proxy)
                .listen(port, LOOPBACK);
    }

    private static final class ForwardedFields implements ProxyInterceptor {
        @Override
        public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
            HttpServerRequest from = context.request().proxiedRequest();
            context.request()
                    .setAuthority(from.authority())
                    .headers()
                    .set("X-Forwarded-For", from.remoteAddress().hostAddress())
                    .set("X-Forwarded-Proto", "http")
                    .set("X-Forwarded-Host", from.authority().toString())
                    .set("Via", "1.1 vertx");
            return context.sendRequest();
        }

        @Override
        public Future<Void> handleProxyResponse(ProxyContext context) {
            // Vert.x forwards the field of the origin, which makes a response over HTTP/2 malformed.
            context.response().headers().remove("Connection");
            return context.sendResponse();
        }
    }
}
