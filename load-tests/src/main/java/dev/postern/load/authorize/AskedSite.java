package dev.postern.load.authorize;

import dev.postern.app.socket.Http1Socket;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Asked site: an origin, and a gateway that both forwards requests to it and answers the questions of nginx, by the same routes and sessions.
 * Gateway, nginx and the peer share the core of the measured processes; wrk and the origin have the other one.
 *
 * @param port of the reverse listener
 * @param questions port of the listener in mode authorize
 * @param session field with the cookie of a session that a token has bought
 */
record AskedSite(RunFolder folder, Nginx origin, ServerProcess gateway, int port, int questions, String session) {
    /** Host of all requests, to which the session is bound; a name, as sites have. */
    static final String HOST = "Host: site.example";

    private static final int BODY = 128;
    private static final int OK = 200;
    private static final List<Integer> REFUSALS = List.of(401, 403);

    private static final String GATEWAY = """
        transport: {event-loops: 1}
        listeners:
          - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
          - {name: auth, address: "127.0.0.1:%2$d", mode: authorize, dialect: nginx, trusted-proxies: [127.0.0.0/8]}
        admin: {address: "127.0.0.1:%3$d"}
        limits: {keep-alive-timeout: 600s}
        log: {level: warn, successes: 0%%}
        privacy-pass:
          origin-names: [gateway.example]
          challenge-window: 1h
          session: {lifetime: 24h}
          issuers:
            - {name: "127.0.0.1:%4$d", directory: "http://127.0.0.1:%4$d/.well-known/private-token-issuer-directory"}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:%5$d"], pool: {max-connections: 4096, max-pending: 4096}}
        routes:
          - {host: "*", path: /, upstream: app, token: session}
        """;

    static AskedSite start(RunFolder folder) {
        Progress.say("starting origin, issuer and gateway; configurations and logs: " + folder);
        Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
        int issuer = Ports.free();
        Postern.issuer(folder, issuer);
        int port = Ports.free();
        int questions = Ports.free();
        int admin = Ports.free();
        String yaml = GATEWAY.formatted(port, questions, admin, issuer, origin.port());
        ServerProcess gateway = Postern.gateway(folder, "gateway", Cores.MEASURED, yaml, admin);
        Path token = folder.file("token.txt");
        Postern.mint(folder, uri(port).toString(), 1, token, List.of());
        String cookie = Unchecked.get(() -> bought(port, Files.readString(token).strip()));
        check(port, cookie);
        return new AskedSite(folder, origin, gateway, port, questions, cookie);
    }

    private static String bought(int port, String token) {
        String cookie = get(port, "Authorization: PrivateToken token=\"" + token + "\"\r\n")
                .field("Set-Cookie");
        return "Cookie: " + cookie.split(";", 2)[0];
    }

    private static Http1Socket.Response get(int port, String fields) {
        return Unchecked.get(() -> {
            try (Http1Socket client = Http1Socket.to(port)) {
                return client.ask(Http1Socket.bytes("GET / HTTP/1.1\r\n" + HOST + "\r\n" + fields + "\r\n"));
            }
        });
    }

    static URI uri(int port) {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    /** Starts nginx with a configuration in front of this origin; it asks the server on the other port. */
    Nginx front(String name, NginxPage page, int asked) {
        return front(name, page, asked, origin.port());
    }

    /** Starts nginx in front of the gateway's reverse listener; it asks nothing. */
    Nginx before() {
        return front("nginx-before", NginxPage.read().silent(), questions, port);
    }

    private Nginx front(String name, NginxPage page, int asked, int site) {
        int front = Ports.free();
        return Nginx.serving(
                folder,
                name,
                Cores.MEASURED,
                front,
                page.with(front, asked, site).sections());
    }

    /** Returns the fields of a question about a request with this cookie, as nginx asks it. */
    static String[] question(String cookie) {
        return new String[] {
            "Host: postern",
            "X-Original-URL: http://site.example/",
            "X-Original-Method: GET",
            "X-Forwarded-For: 127.0.0.1",
            "X-Request-ID: 0123456789abcdef0123456789abcdef",
            cookie
        };
    }

    /** Fails unless a server refuses a request without the cookie, and lets one with it pass. */
    static void check(int server, String cookie) {
        int without = get(server, "").status();
        int with = get(server, cookie + "\r\n").status();
        if (!REFUSALS.contains(without) || with != OK) {
            throw new IllegalStateException("status without and with the cookie: %d, %d (expected: one of %s, %d)"
                    .formatted(without, with, REFUSALS, OK));
        }
    }
}
