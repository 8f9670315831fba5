package dev.postern.app.reading;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Third-party server with two protected resources: every path that it maps to {@code /api} or below, and the host {@code api.example}. It
 * marks responses of these by the field {@code X-Protected}.
 */
interface Backend extends AutoCloseable {

    String PROTECTED = "X-Protected";

    /** Returns {@code host:port}. */
    String address();

    @Override
    void close();

    /** Kinds of servers, including their lenient configurations. */
    enum Kind {
        TOMCAT,
        TOMCAT_LENIENT,
        JETTY,
        JETTY_LENIENT,
        NGINX,
        WSGI,
        WSGI_TWICE;

        /** @param folder an empty one for its files */
        Backend start(Path folder) throws IOException {
            return switch (this) {
                case TOMCAT -> new TomcatBackend(folder, false);
                case TOMCAT_LENIENT -> new TomcatBackend(folder, true);
                case JETTY -> new JettyBackend(false);
                case JETTY_LENIENT -> new JettyBackend(true);
                case NGINX -> ProcessBackend.nginx(folder);
                case WSGI -> ProcessBackend.wsgi(folder, "once");
                case WSGI_TWICE -> ProcessBackend.wsgi(folder, "twice");
            };
        }
    }
}
