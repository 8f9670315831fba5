package dev.postern.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Reads requests from standard input, sends each with the client library that the argument names, and prints the responses. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        HttpPeer peer =
                switch (arguments[0]) {
                    case "url-connection" -> new UrlConnectionPeer();
                    case "jdk-client" -> new JdkClientPeer();
                    case "apache4" -> new Apache4Peer();
                    case "apache5" -> new Apache5Peer();
                    case "okhttp" -> new OkHttpPeer();
                    default -> throw new IllegalArgumentException(arguments[0] + " (expected: a client)");
                };
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (Ask ask = Ask.read(in); ask != null; ask = Ask.read(in)) {
            respond(peer, ask, System.out);
        }
        System.exit(0); // some libraries keep threads
    }

    private static void respond(HttpPeer peer, Ask ask, PrintStream out) {
        try {
            peer.send(ask).print(out);
        } catch (Exception e) {
            e.printStackTrace();
            StringBuilder reasons = new StringBuilder();
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                reasons.append(' ').append(cause);
            }
            out.println("error" + reasons.toString().replaceAll("\\s+", " "));
            out.println();
            out.flush();
        }
    }
}
