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
        NGINX_UNMERGED,
        WSGI,
        WSGI_TWICE,
        /** Decides on the target as it came, as Express does. */
        NODE_RAW,
        /** Decides on the escapes decoded, and on nothing else. */
        NODE_DECODED,
        /** Decides on the path of a WHATWG URL: dot segments resolved, also encoded ones, empty segments kept. */
        NODE_URL,
        /** Decides on the path of the target as a reference, {@code new URL(target, base)}: two slashes begin an authority. */
        NODE_REFERENCE,
        /** Decides on the decoded path with dot segments resolved and slashes merged, as a server of files does. */
        NODE_FILES,
        /** The HTTP server of the JDK, which reads the target as a {@code java.net.URI}. */
        JDK;

        /** @param folder an empty one for its files */
        Backend start(Path folder) throws IOException {
            return switch (this) {
                case TOMCAT -> new TomcatBackend(folder, false);
                case TOMCAT_LENIENT -> new TomcatBackend(folder, true);
                case JETTY -> new JettyBackend(false);
                case JETTY_LENIENT -> new JettyBackend(true);
                case NGINX -> ProcessBackend.nginx(folder, true);
                case NGINX_UNMERGED -> ProcessBackend.nginx(folder, false);
                case WSGI -> ProcessBackend.wsgi(folder, "once");
                case WSGI_TWICE -> ProcessBackend.wsgi(folder, "twice");
                case NODE_RAW -> ProcessBackend.node(folder, "raw");
                case NODE_DECODED -> ProcessBackend.node(folder, "decoded");
                case NODE_URL -> ProcessBackend.node(folder, "url");
                case NODE_REFERENCE -> ProcessBackend.node(folder, "reference");
                case JDK -> new JdkBackend();
                case NODE_FILES -> ProcessBackend.node(folder, "files");
            };
        }
    }
}
