package dev.postern.load.measure;

import java.net.URI;
import java.util.regex.Pattern;

/** TLS handshake of {@code openssl s_client} with a server: what both agreed on. */
public record TlsHandshake(String protocol, String cipher, String group) {

    public static TlsHandshake with(URI server) {
        return parse(Command.output("openssl s_client -brief -connect", server.getAuthority()));
    }

    static TlsHandshake parse(String output) {
        return new TlsHandshake(
                found("Protocol version: (\\S+)", output),
                found("Ciphersuite: (\\S+)", output),
                found("Server Temp Key: ([^,\\s]+)", output));
    }

    private static String found(String pattern, String output) {
        return Command.found(Pattern.compile(pattern), output).group(1);
    }

    @Override
    public String toString() {
        return protocol + ", " + cipher + ", " + group;
    }
}
