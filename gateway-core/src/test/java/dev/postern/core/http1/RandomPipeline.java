package dev.postern.core.http1;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random pipeline of requests, and the responses that HTTP/1.1 prescribes for it (RFC 9112 section 9.3.2): the reference that the gateway is
 * compared with.
 *
 * @param requests in the order in which they are sent
 */
record RandomPipeline(List<Request> requests) {

    private static final int MAX_BODY = 6_000;

    /** Fate of a request. */
    enum Fate {
        /** The origin responds after a random delay. */
        RESPONSE,
        /** The origin closes its connection without a response. */
        BROKEN,
        /** The origin ends its connection inside the response. */
        CUT,
        /** The gateway responds itself. */
        REFUSED,
        /** Nothing behind this request is read, because its head is malformed. */
        MALFORMED
    }

    /**
     * One request.
     *
     * @param id unique in the test
     * @param bytes as sent
     * @param safe whether the method is safe (RFC 9110 section 9.2.1)
     * @param last whether the connection ends after the response
     * @param responseLength bytes of the response body
     */
    record Request(String id, String bytes, boolean head, boolean safe, Fate fate, boolean last, int responseLength) {

        int status() {
            return switch (fate) {
                case RESPONSE, CUT -> 200;
                case BROKEN -> 502;
                case REFUSED -> 405;
                case MALFORMED -> 400;
            };
        }

        /** Returns the body of the origin's response, which depends on the request. */
        String responseBody() {
            StringBuilder body = new StringBuilder(responseLength);
            while (body.length() < responseLength) {
                body.append(id).append('.');
            }
            body.setLength(responseLength);
            return body.toString();
        }

        /** Returns whether the origin may see the request. */
        boolean forwardable() {
            return fate != Fate.REFUSED && fate != Fate.MALFORMED;
        }
    }

    static RandomPipeline of(SplittableRandom random, String name) {
        List<Request> requests = new ArrayList<>();
        int length = random.nextInt(1, 11);
        for (int i = 0; i < length; i++) {
            requests.add(request(random, name + "-" + i));
        }
        return new RandomPipeline(requests);
    }

    private static Request request(SplittableRandom random, String id) {
        int kind = random.nextInt(100);
        boolean last = random.nextInt(25) == 0;
        String fields = "Host: h\r\n" + (last ? "Connection: close\r\n" : "");
        int responseLength = random.nextInt(3) == 0 ? random.nextInt(MAX_BODY) : random.nextInt(40);
        String framing = random.nextBoolean() ? "l" : "c";
        String path = "/" + id + "/" + framing + responseLength + "/";
        if (kind < 55) {
            String method = kind < 5 ? "HEAD" : kind < 8 ? "OPTIONS" : "GET";
            String bytes = method + " " + path + "ok HTTP/1.1\r\n" + fields + "\r\n";
            return new Request(id, bytes, method.equals("HEAD"), true, Fate.RESPONSE, last, responseLength);
        }
        if (kind < 85) {
            String method = kind < 70 ? "POST" : kind < 80 ? "PUT" : "DELETE";
            String bytes = method + " " + path + "ok HTTP/1.1\r\n" + fields + body(random);
            return new Request(id, bytes, false, false, Fate.RESPONSE, last, responseLength);
        }
        if (kind < 92) {
            boolean safe = random.nextBoolean();
            String bytes = safe
                    ? "GET " + path + "broken HTTP/1.1\r\n" + fields + "\r\n"
                    : "POST " + path + "broken HTTP/1.1\r\n" + fields + body(random);
            return new Request(id, bytes, false, safe, Fate.BROKEN, last, 0);
        }
        if (kind < 95) {
            String bytes = "GET /" + id + "/l100/cut HTTP/1.1\r\n" + fields + "\r\n";
            return new Request(id, bytes, false, true, Fate.CUT, true, 100);
        }
        if (kind < 98) {
            return new Request(
                    id, "TRACE " + path + " HTTP/1.1\r\n" + fields + "\r\n", false, true, Fate.REFUSED, last, 0);
        }
        return new Request(
                id, "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n", false, true, Fate.MALFORMED, true, 0);
    }

    /** Returns the framing fields, the end of the head, and a body. */
    private static String body(SplittableRandom random) {
        int length = random.nextInt(2) == 0 ? random.nextInt(30) : random.nextInt(MAX_BODY);
        String body = "b".repeat(length);
        if (random.nextBoolean()) {
            return "Content-Length: " + length + "\r\n\r\n" + body;
        }
        StringBuilder chunked = new StringBuilder("Transfer-Encoding: chunked\r\n\r\n");
        for (int offset = 0; offset < length; ) {
            int n = Math.min(length - offset, random.nextInt(1, 2_000));
            chunked.append(Integer.toHexString(n))
                    .append("\r\n")
                    .append(body, offset, offset + n)
                    .append("\r\n");
            offset += n;
        }
        return chunked.append("0\r\n\r\n").toString();
    }

    /** Returns the requests that get a response, up to the one that ends the connection. */
    List<Request> withResponse() {
        List<Request> all = new ArrayList<>();
        for (Request request : requests) {
            all.add(request);
            if (request.last()) {
                break;
            }
        }
        return all;
    }

    /** Returns fate, kind and place of each request, for messages. */
    String describe() {
        StringBuilder all = new StringBuilder();
        for (Request request : requests) {
            all.append('\n').append(request.id()).append(' ').append(request.fate());
            all.append(request.safe() ? " safe" : " unsafe").append(request.last() ? " last " : " ");
            all.append(request.bytes(), 0, request.bytes().indexOf("\r\n"));
        }
        return all.toString();
    }

    String bytes() {
        StringBuilder all = new StringBuilder();
        requests.forEach(request -> all.append(request.bytes()));
        return all.toString();
    }
}
