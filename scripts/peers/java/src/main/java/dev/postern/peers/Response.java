package dev.postern.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Response that a client received. */
record Response(int status, String version, List<Ask.Field> fields, long length, String sha256, byte[] text) {
    private static final int TEXT = 2_048;

    /** Reads the body to its end; null is an empty one. */
    static Response of(int status, String version, List<Ask.Field> fields, InputStream body) throws IOException, GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] piece = new byte[65_536];
        byte[] text = new byte[0];
        long length = 0;
        if (body != null) {
            for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
                digest.update(piece, 0, count);
                length += count;
                int taken = Math.min(count, TEXT - text.length);
                text = Arrays.copyOf(text, text.length + taken);
                System.arraycopy(piece, 0, text, text.length - taken, taken);
            }
        }
        return new Response(status, version, fields, length, HexFormat.of().formatHex(digest.digest()), text);
    }

    void print(PrintStream out) {
        out.println("status " + status);
        if (version != null) {
            out.println("version " + version);
        }
        fields.forEach(field -> out.println("field " + field.name() + ": " + field.value()));
        out.println("length " + length);
        out.println("sha256 " + sha256);
        out.println("text " + HexFormat.of().formatHex(text));
        out.println();
        out.flush();
    }
}
