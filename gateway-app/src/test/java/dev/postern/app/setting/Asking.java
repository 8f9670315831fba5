package dev.postern.app.setting;

import dev.postern.core.testing.RawClient;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Another proxy that asks a site in memory about the requests of its clients; each dialect describes the same request. */
enum Asking {
    NGINX {
        @Override
        List<String> describe(String method, String url) {
            return List.of("X-Original-Method: " + method, "X-Original-URL: " + url);
        }
    },
    FORWARDED {
        @Override
        List<String> describe(String method, String url) {
            Url parts = Url.of(url);
            return List.of(
                    "X-Forwarded-Method: " + method,
                    "X-Forwarded-Proto: " + parts.scheme,
                    "X-Forwarded-Host: " + parts.host,
                    "X-Forwarded-Uri: " + parts.path);
        }
    },
    ENVOY {
        @Override
        List<String> describe(String method, String url) {
            return List.of("X-Forwarded-Proto: " + Url.of(url).scheme);
        }

        @Override
        String head(String method, String url) {
            Url parts = Url.of(url);
            return method + " /ask" + parts.path + " HTTP/1.1\r\nHost: " + parts.host + "\r\n";
        }
    };

    static final String PROXY = "127.0.0.9";
    static final String STRANGER = "127.0.0.8";

    /** The client of the proxy. */
    static final String CLIENT = "X-Forwarded-For: 192.0.2.7";

    private record Url(String scheme, String host, String path) {

        static Url of(String url) {
            int host = url.indexOf("://") + 3;
            int path = url.indexOf('/', host);
            return new Url(url.substring(0, host - 3), url.substring(host, path), url.substring(path));
        }
    }

    abstract List<String> describe(String method, String url);

    String head(String method, String url) {
        return "GET /anything HTTP/1.1\r\nHost: gateway\r\n";
    }

    /** Opens a site with a listener in mode authorize for this dialect. */
    MemorySite site(String... settings) {
        String listener = "listeners=[{name: web, address: \"127.0.0.1:0\", mode: authorize, dialect: "
                + name().toLowerCase(Locale.ROOT) + (this == ENVOY ? ", path-prefix: /ask" : "")
                + ", trusted-proxies: [" + PROXY + "]}]";
        return MemorySite.with(List.of(listener), settings);
    }

    /** Asks about a request of a client. */
    RawClient.Response askBy(String method, MemorySite site, String url, String... fields) {
        String[] all = Stream.concat(
                        Stream.concat(describe(method, url).stream(), Stream.of(CLIENT)), Arrays.stream(fields))
                .toArray(String[]::new);
        return send(site, PROXY, head(method, url) + String.join("\r\n", all) + "\r\n\r\n");
    }

    RawClient.Response ask(MemorySite site, String url, String... fields) {
        return askBy("GET", site, url, fields);
    }

    static RawClient.Response send(MemorySite site, String from, String request) {
        try (RawClient client = site.connect(from)) {
            return client.send(request).read();
        }
    }
}
