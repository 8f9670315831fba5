package dev.postern.auth.pipelining;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Request of a pipeline, the behaviour of its upstream, and the result of the ledger for its token.
 *
 * @param pipeline its number
 * @param index position in the pipeline
 * @param body length of the request's body in bytes, -1 for none
 * @param chunked how that body is framed
 * @param fate outcome of the request
 * @param status of the upstream's response
 * @param size of the response's body
 * @param framing of that body
 * @param delayMicros until the upstream responds
 * @param slowLedger whether the ledger responds with a delay
 */
record Step(
        long pipeline,
        int index,
        String method,
        int body,
        boolean chunked,
        Fate fate,
        int status,
        int size,
        Framing framing,
        int delayMicros,
        boolean slowLedger) {

    private static final String[] METHODS = {
        "GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "POST", "PUT", "DELETE"
    };
    private static final int[] STATUSES = {200, 200, 200, 200, 404, 500, 503};
    private static final int LONGEST_BODY = 3000;
    private static final int MAX_RESPONSE_BYTES = 6000;
    private static final int LONGEST_DELAY = 2500;

    /** Outcomes of a request. */
    enum Fate {
        RESPONDED,
        /** The upstream closes without a response. */
        DROPPED,
        /** The upstream closes in the middle of its response. */
        CUT,
        /** The token was spent before. */
        SPENT,
        /** The ledger returns UNKNOWN. */
        UNKNOWN,
        /** The method is not allowed. */
        REFUSED
    }

    /** Framing of a response's body. */
    enum Framing {
        LENGTH,
        CHUNKED,
        CLOSE
    }

    static Step random(long pipeline, int index, SplittableRandom random) {
        String method = METHODS[random.nextInt(METHODS.length)];
        int dice = random.nextInt(100);
        Fate fate = dice < 80
                ? Fate.RESPONDED
                : dice < 86
                        ? Fate.DROPPED
                        : dice < 89 ? Fate.CUT : dice < 94 ? Fate.SPENT : dice < 97 ? Fate.UNKNOWN : Fate.REFUSED;
        if (fate == Fate.CUT && method.equals("HEAD")) {
            fate = Fate.RESPONDED;
        }
        boolean unsafe = !(method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS"));
        boolean body = fate != Fate.REFUSED && (unsafe || random.nextInt(12) == 0);
        return new Step(
                pipeline,
                index,
                fate == Fate.REFUSED ? "TRACE" : method,
                body ? random.nextInt(LONGEST_BODY) : -1,
                random.nextBoolean(),
                fate,
                STATUSES[random.nextInt(STATUSES.length)],
                random.nextInt(MAX_RESPONSE_BYTES),
                Framing.values()[random.nextInt(Framing.values().length)],
                random.nextInt(LONGEST_DELAY),
                random.nextInt(3) == 0);
    }

    /** Returns whether the request may run concurrently, and again when its connection was stale. */
    boolean safe() {
        return body < 0 && (method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS"));
    }

    String path() {
        return "/p/" + pipeline + "/" + index;
    }

    /** Returns the ledger key of the token. */
    byte[] key() {
        return ByteBuffer.allocate(16).putLong(pipeline).putLong(index).array();
    }

    String request(boolean last) {
        String head = method + " " + path() + " HTTP/1.1\r\nHost: h\r\n" + (last ? "Connection: close\r\n" : "");
        if (body < 0) {
            return head + "\r\n";
        }
        String text = "b".repeat(body);
        if (!chunked) {
            return head + "Content-Length: " + body + "\r\n\r\n" + text;
        }
        String chunk = body == 0 ? "" : Integer.toHexString(body) + "\r\n" + text + "\r\n";
        return head + "Transfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n";
    }

    /** Returns the body of the upstream's response. */
    String text() {
        return (path() + " ").repeat(size / path().length() + 1).substring(0, size);
    }

    /** Returns the complete response of the upstream. */
    String response() {
        String head = "HTTP/1.1 " + status + " Reason\r\nX-Step: " + path() + "\r\n";
        return switch (framing) {
            case LENGTH -> head + "Content-Length: " + size + "\r\n\r\n" + sent();
            case CHUNKED -> head + "Transfer-Encoding: chunked\r\n\r\n" + (method.equals("HEAD") ? "" : chunks());
            case CLOSE -> head + "Connection: close\r\n\r\n" + sent();
        };
    }

    private String sent() {
        return method.equals("HEAD") ? "" : text();
    }

    private String chunks() {
        int first = size / 3;
        String text = text();
        return chunk(text.substring(0, first)) + chunk(text.substring(first)) + "0\r\n\r\n";
    }

    private static String chunk(String text) {
        return text.isEmpty() ? "" : Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    /** Returns the half of a response that a failing upstream sends: its length shows that the rest is missing. */
    String half() {
        return "HTTP/1.1 200 Reason\r\nX-Step: " + path() + "\r\nContent-Length: " + (size + 100) + "\r\n\r\n" + text();
    }

    /** Returns the head that the client must receive, without its date. */
    String expectedHead(boolean last) {
        String reason = switch (status) {
            case 200 -> "OK";
            case 404 -> "Not Found";
            case 500 -> "Internal Server Error";
            default -> "Service Unavailable";
        };
        boolean length = framing == Framing.LENGTH;
        boolean chunkedResponse = !length && !method.equals("HEAD");
        return "HTTP/1.1 " + status + " " + reason + "\r\nX-Step: " + path() + "\r\n"
                + (length ? "Content-Length: " + size + "\r\n" : "") + "via: 1.1 postern\r\n"
                + (chunkedResponse ? "transfer-encoding: chunked\r\n" : "") + (last ? "connection: close\r\n" : "")
                + "\r\n";
    }
}
