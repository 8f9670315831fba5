package dev.postern.app.reading;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A server of others with two protected resources: whatever it takes for {@code /api} or below, and whatever it takes for the host
 * {@code api.example}. It marks responses of theirs by the field {@code X-Protected}.
 */
interface Backend extends AutoCloseable {

    String PROTECTED = "X-Protected";

    /** {@code host:port}. */
    String address();

    @Override
    void close();

    /** The servers, and those of them that read more leniently when they are told to. */
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
