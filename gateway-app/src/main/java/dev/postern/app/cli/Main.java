package dev.postern.app.cli;

import java.security.Security;

/** Main class of the program. */
public final class Main {

    /** Request timeout of the JDK's HTTP server, in seconds; used by the development issuer and the demo. The JDK's default is no limit. */
    private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";

    /** Lettuce's switch for io_uring. Where both load, Lettuce uses epoll but logs a warning about io_uring at each start. */
    private static final String REDIS_OVER_IO_URING = "io.lettuce.core.iouring";

    /** Fields of requests that callers of the JDK's HTTP client may set. */
    private static final String CLIENT_FIELDS = "jdk.httpclient.allowRestrictedHeaders";

    /** Seconds for which Java keeps the address of a name, such as that of a memcached; its default is 30. */
    private static final String NAME_SECONDS = "networkaddress.cache.ttl";

    private Main() {}

    public static void main(String[] args) {
        if (System.getProperty(REQUEST_SECONDS) == null) {
            // Without the timeout, a connection with a partial request holds a thread of the server without limit.
            System.setProperty(REQUEST_SECONDS, "3");
        }
        if (System.getProperty(CLIENT_FIELDS) == null) {
            System.setProperty(CLIENT_FIELDS, "host"); // for -H of fetch and mint, as in curl
        }
        if (System.getProperty(REDIS_OVER_IO_URING) == null) {
            System.setProperty(REDIS_OVER_IO_URING, "false");
        }
        if (Security.getProperty(NAME_SECONDS) == null) {
            Security.setProperty(NAME_SECONDS, "5");
        }
        System.exit(PosternCommand.execute(args));
    }
}
