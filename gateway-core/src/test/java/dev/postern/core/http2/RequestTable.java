package dev.postern.core.http2;

import static dev.postern.core.http2.FrameTable.row;
import static dev.postern.core.testing.FrameClient.request;

import dev.postern.core.http2.FrameTable.Row;
import java.util.List;

/** Table of the requests that a client may send, rule by rule, and the outcome. */
final class RequestTable {

    private static final String MALFORMED = "400 RST PROTOCOL_ERROR";

    private RequestTable() {}

    /** Returns the rules of requests: malformed ones are refused, and their stream is reset. */
    static List<Row> all() {
        return List.of(
                row("8.2.1", "upper case in a name", MALFORMED, c -> c.get(1, "/", "X-Up", "a")),
                row("8.2.1", "a blank in a name", MALFORMED, c -> c.get(1, "/", "x up", "a")),
                row("8.2.1", "a colon in a name", MALFORMED, c -> c.get(1, "/", "x:up", "a")),
                row("8.2.1", "an empty name", MALFORMED, c -> c.get(1, "/", "", "a")),
                row("8.2.1", "a byte beyond ASCII in a name", MALFORMED, c -> c.get(1, "/", "x-\u00e9", "a")),
                row("8.2.1", "NUL in a value", MALFORMED, c -> c.get(1, "/", "x-a", "a\0b")),
                row("8.2.1", "LF in a value", MALFORMED, c -> c.get(1, "/", "x-a", "a\nx-b: c")),
                row("8.2.1", "CR in a value", MALFORMED, c -> c.get(1, "/", "x-a", "a\rb")),
                row("8.2.1", "a blank before a value", MALFORMED, c -> c.get(1, "/", "x-a", " a")),
                row("8.2.1", "a tab after a value", MALFORMED, c -> c.get(1, "/", "x-a", "a\t")),
                row("8.2.1", "a blank inside a value", "200", c -> c.get(1, "/", "x-a", "a b")),
                row("8.2.2", "connection", MALFORMED, c -> c.get(1, "/", "connection", "close")),
                row("8.2.2", "proxy-connection", MALFORMED, c -> c.get(1, "/", "proxy-connection", "close")),
                row("8.2.2", "keep-alive", MALFORMED, c -> c.get(1, "/", "keep-alive", "1")),
                row("8.2.2", "transfer-encoding", MALFORMED, c -> c.post(1, "/", "transfer-encoding", "chunked")),
                row("8.2.2", "upgrade", MALFORMED, c -> c.get(1, "/", "upgrade", "h2c")),
                row("8.2.2", "te of gzip", MALFORMED, c -> c.get(1, "/", "te", "gzip, trailers")),
                row("8.2.2", "te of trailers", "200", c -> c.get(1, "/", "te", "trailers")),
                row("CGI", "a length with an underscore", MALFORMED, c -> c.post(1, "/", "content_length", "4")),
                row("CGI", "a length without a dash", MALFORMED, c -> c.get(1, "/", "contentlength", "4")),
                row(
                        "CGI",
                        "a coding with an underscore",
                        MALFORMED,
                        c -> c.post(1, "/", "transfer_encoding", "chunked")),
                row("CGI", "a coding without a dash", MALFORMED, c -> c.get(1, "/", "transferencoding", "chunked")),
                row("postern", "as many fields as may be", "200", c -> c.get(1, "/", fields(256))),
                row("postern", "one field more", "431", c -> c.get(1, "/", fields(257))),
                row(
                        "8.3",
                        "a pseudo-header after a field",
                        MALFORMED,
                        c -> c.headers(
                                1,
                                true,
                                ":method",
                                "GET",
                                ":scheme",
                                "http",
                                "x-a",
                                "b",
                                ":path",
                                "/",
                                ":authority",
                                "h")),
                row("8.3", "an unknown pseudo-header", MALFORMED, c -> c.get(1, "/", ":version", "1")),
                row("8.3", "a pseudo-header of responses", MALFORMED, c -> c.get(1, "/", ":status", "200")),
                row(
                        "8.3.1",
                        "no method",
                        MALFORMED,
                        c -> c.headers(1, true, ":scheme", "http", ":path", "/", ":authority", "h")),
                row(
                        "8.3.1",
                        "no scheme",
                        MALFORMED,
                        c -> c.headers(1, true, ":method", "GET", ":path", "/", ":authority", "h")),
                row(
                        "8.3.1",
                        "no path",
                        MALFORMED,
                        c -> c.headers(1, true, ":method", "GET", ":scheme", "http", ":authority", "h")),
                row("8.3.1", "an empty path", MALFORMED, c -> c.get(1, "")),
                row("8.3.1", "a path without slash", MALFORMED, c -> c.get(1, "page")),
                row("8.3.1", "an asterisk for GET", MALFORMED, c -> c.get(1, "*")),
                row(
                        "8.3.1",
                        "two methods",
                        MALFORMED,
                        c -> c.headers(1, true, ":method", "GET", ":method", "GET", ":scheme", "http", ":path", "/")),
                row(
                        "8.3.1",
                        "two schemes",
                        MALFORMED,
                        c -> c.headers(1, true, ":method", "GET", ":scheme", "http", ":scheme", "http", ":path", "/")),
                row(
                        "8.3.1",
                        "two paths",
                        MALFORMED,
                        c -> c.headers(1, true, ":method", "GET", ":scheme", "http", ":path", "/", ":path", "/")),
                row(
                        "8.3.1",
                        "two authorities",
                        MALFORMED,
                        c -> c.headers(1, true, request("GET", "/", ":authority", "site.example"))),
                row("8.3.1", "a method that is no token", MALFORMED, c -> c.headers(1, true, request("G T", "/"))),
                row(
                        "8.3.1",
                        "a user in the authority",
                        MALFORMED,
                        c -> c.headers(
                                1, true, ":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a@h")),
                row(
                        "8.3.1",
                        "neither authority nor Host",
                        MALFORMED,
                        c -> c.headers(1, true, ":method", "GET", ":scheme", "http", ":path", "/")),
                row(
                        "8.3.1",
                        "Host alone",
                        "200",
                        c -> c.headers(
                                1, true, ":method", "GET", ":scheme", "http", ":path", "/", "host", "site.example")),
                row("8.3.1", "Host like the authority", "200", c -> c.get(1, "/", "host", "site.example:80")),
                row("8.3.1", "Host unlike the authority", MALFORMED, c -> c.get(1, "/", "host", "other.example")),
                row(
                        "8.3.1",
                        "two Hosts",
                        MALFORMED,
                        c -> c.get(1, "/", "host", "site.example", "host", "site.example")),
                row(
                        "8.3.1",
                        "an unknown scheme",
                        "421",
                        c -> c.headers(1, true, ":method", "GET", ":scheme", "ftp", ":path", "/", ":authority", "h")),
                row(
                        "RFC 9110 7.4",
                        "https over plain text",
                        "421",
                        c -> c.headers(1, true, ":method", "GET", ":scheme", "https", ":path", "/", ":authority", "h")),
                row(
                        "8.1.1",
                        "a body shorter than was said",
                        MALFORMED,
                        c -> c.post(1, FrameTable.HOLD, "content-length", "4").data(1, true, "abc")),
                row(
                        "8.1.1",
                        "a body longer than was said",
                        MALFORMED,
                        c -> c.post(1, FrameTable.HOLD, "content-length", "2").data(1, false, "abc")),
                row(
                        "8.1.1",
                        "no body where one was said",
                        MALFORMED,
                        c -> c.headers(1, true, request("POST", "/", "content-length", "4"))),
                row(
                        "8.1.1",
                        "two lengths",
                        MALFORMED,
                        c -> c.post(1, "/", "content-length", "3", "content-length", "3")),
                row("8.1.1", "a length with a sign", MALFORMED, c -> c.post(1, "/", "content-length", "+3")),
                row(
                        "8.1.1",
                        "a body as long as was said",
                        "200",
                        c -> c.post(1, "/", "content-length", "3")
                                .data(1, false, "a")
                                .data(1, true, "bc")),
                row(
                        "8.1",
                        "HEADERS twice before the body",
                        "RST PROTOCOL_ERROR",
                        c -> c.post(1, FrameTable.HOLD).post(1, FrameTable.HOLD)),
                row(
                        "8.1",
                        "trailers",
                        "200",
                        c -> c.post(1, "/").data(1, false, "abc").headers(1, true, "x-sum", "1")),
                row(
                        "8.1",
                        "a pseudo-header in trailers",
                        MALFORMED,
                        c -> c.post(1, FrameTable.HOLD).data(1, false, "abc").headers(1, true, ":path", "/")),
                row(
                        "8.1",
                        "upper case in trailers",
                        MALFORMED,
                        c -> c.post(1, FrameTable.HOLD).headers(1, true, "X-Sum", "1")),
                row(
                        "8.1.1",
                        "trailers before the length is reached",
                        MALFORMED,
                        c -> c.post(1, FrameTable.HOLD, "content-length", "4")
                                .data(1, false, "abc")
                                .headers(1, true, "x-sum", "1")),
                row(
                        "8.5",
                        "CONNECT with a path",
                        MALFORMED,
                        c -> c.headers(
                                1,
                                false,
                                ":method",
                                "CONNECT",
                                ":authority",
                                "h:443",
                                ":path",
                                "/",
                                ":scheme",
                                "http")),
                row("8.5", "CONNECT without an authority", MALFORMED, c -> c.headers(1, false, ":method", "CONNECT")),
                row(
                        "8.5",
                        "CONNECT without a port",
                        MALFORMED,
                        c -> c.headers(1, false, ":method", "CONNECT", ":authority", "h")),
                row(
                        "8.5",
                        "CONNECT on a reverse listener",
                        "405",
                        c -> c.headers(
                                1, false, ":method", "CONNECT", ":authority", "h:443", "content-length", "100000")),
                row(
                        "RFC 8441 4",
                        "CONNECT with a protocol that was not offered",
                        MALFORMED,
                        c -> c.headers(
                                1, false, ":method", "CONNECT", ":protocol", "websocket", ":authority", "h:443")),
                row("RFC 9110 9.3.8", "TRACE", "405", c -> c.headers(1, true, request("TRACE", "/"))),
                row(
                        "RFC 9110 10.1.1",
                        "another expectation",
                        "417",
                        c -> c.post(1, "/", "content-length", "100000", "expect", "magic")),
                row(
                        "10.5.1",
                        "a field section beyond the limit",
                        "431",
                        c -> c.get(1, "/", "x-long", "y".repeat(16_000), "x-more", "y".repeat(300))),
                row("RFC 3986 6.2", "a path above the root", "400", c -> c.get(1, "/../etc")),
                row("RFC 3986 2.1", "a broken escape", "400", c -> c.get(1, "/%zz")),
                row("RFC 9112 3.2", "a fragment in a path", "400", c -> c.get(1, "/a#b")));
    }

    private static String[] fields(int count) {
        String[] fields = new String[count * 2];
        for (int i = 0; i < fields.length; i += 2) {
            fields[i] = "x";
            fields[i + 1] = "y";
        }
        return fields;
    }
}
