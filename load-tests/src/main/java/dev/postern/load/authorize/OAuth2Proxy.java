package dev.postern.load.authorize;

import dev.postern.app.socket.Http1Socket;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * oauth2-proxy, the server for questions of nginx that many sites use, with the session cookie of a user who has signed in by the form.
 * Such a session is smaller than one with the tokens of an identity provider, and so needs less time.
 *
 * @param session field with the cookie
 */
record OAuth2Proxy(ServerProcess process, int port, String session) {
    /** Path of questions; the status is 202 or 401. */
    static final String QUESTION = "/oauth2/auth";

    private static final String USER = "visitor";

    /** Starts the program without logs. No identity provider is reached: the form checks a file of users. */
    static OAuth2Proxy start(RunFolder folder, Path program) {
        int port = Ports.free();
        String password = Postern.secret();
        Path users = folder.write("users", USER + ":{SHA}" + sha1(password) + "\n");
        List<String> command = List.of(
                program.toString(),
                "--http-address=127.0.0.1:" + port,
                "--provider=github",
                "--client-id=none",
                "--client-secret=none",
                "--cookie-secret=" + Postern.secret().replace('+', '-').replace('/', '_'),
                "--cookie-secure=false",
                "--email-domain=*",
                "--htpasswd-file=" + users,
                "--upstream=static://200",
                "--reverse-proxy=true",
                "--standard-logging=false",
                "--auth-logging=false",
                "--request-logging=false");
        ServerProcess process = ServerProcess.listening(folder, "oauth2-proxy", Cores.MEASURED, command, port);
        return new OAuth2Proxy(process, port, Unchecked.get(() -> signIn(port, password)));
    }

    private static String signIn(int port, String password) throws IOException {
        String form = "username=" + USER + "&password=" + URLEncoder.encode(password, StandardCharsets.UTF_8);
        String request = """
                POST /oauth2/sign_in HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/x-www-form-urlencoded\r
                Content-Length: %d\r
                \r
                %s""".formatted(form.length(), form);
        try (Http1Socket client = Http1Socket.to(port)) {
            String cookie = client.ask(Http1Socket.bytes(request)).field("Set-Cookie");
            return "Cookie: " + cookie.split(";", 2)[0];
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
