package dev.postern.app.reading;

import java.util.List;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.Callback;

/** Runs Jetty with a context at {@code /api} and a virtual host. */
final class JettyBackend implements Backend {

    private final Server server = new Server();
    private final ServerConnector connector;

    /** @param lenient whether it serves ambiguous paths, which it refuses by default */
    JettyBackend(boolean lenient) {
        HttpConfiguration configuration = new HttpConfiguration();
        if (lenient) {
            configuration.setUriCompliance(UriCompliance.UNSAFE);
        }
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ContextHandler host = context("/", "host");
        host.setVirtualHosts(List.of("api.example"));
        server.setHandler(new ContextHandlerCollection(host, context("/api", "path"), context("/", "")));
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("cannot start Jetty", e);
        }
    }

    private static ContextHandler context(String path, String mark) {
        ContextHandler context = new ContextHandler(new Marking(mark), path);
        context.setAllowNullPathInContext(true);
        return context;
    }

    @Override
    public String address() {
        return "127.0.0.1:" + connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("cannot stop Jetty", e);
        }
    }

    private static final class Marking extends Handler.Abstract {

        private final String mark;

        private Marking(String mark) {
            this.mark = mark;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            if (!mark.isEmpty()) {
                response.getHeaders().put(PROTECTED, mark);
            }
            callback.succeeded();
            return true;
        }
    }
}
