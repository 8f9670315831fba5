package dev.postern.app.cli;

/** The program's entrance. */
public final class Main {

    /** Of the JDK's server behind the development issuer and the demo, which waits for a whole request as long as it takes, by itself. */
    private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";

    /** Lettuce takes epoll where both load, but warns of the other one each time. */
    private static final String REDIS_OVER_IO_URING = "io.lettuce.core.iouring";

    /** Of the JDK's client: fields that requests may say themselves. */
    private static final String CLIENT_FIELDS = "jdk.httpclient.allowRestrictedHeaders";

    private Main() {}

    public static void main(String[] args) {
        if (System.getProperty(REQUEST_SECONDS) == null) {
            // Else connections that say half a request hold its threads for as long as they like.
            System.setProperty(REQUEST_SECONDS, "3");
        }
        if (System.getProperty(CLIENT_FIELDS) == null) {
            System.setProperty(CLIENT_FIELDS, "host"); // for -H of fetch and mint, as curl has it
        }
        if (System.getProperty(REDIS_OVER_IO_URING) == null) {
            System.setProperty(REDIS_OVER_IO_URING, "false");
        }
        System.exit(PosternCommand.execute(args));
    }
}
