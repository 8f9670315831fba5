package dev.postern.auth.key;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.TokenType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Static keys from the configuration or from files: base64url, PEM or DER. Blocks; for start and reload only. */
public final class StaticKeys {

    /** First byte of every key in DER; base64url of a key starts with another letter. */
    private static final byte DER_SEQUENCE = 0x30;

    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";

    private StaticKeys() {}

    static List<IssuerKey> read(IssuerSettings settings) {
        List<IssuerKey> keys = new ArrayList<>();
        settings.publicKeys().forEach(text -> keys.add(read(text)));
        settings.publicKeyFiles().forEach(file -> keys.add(read(file)));
        if (settings.directory() == null) {
            keys.addAll(SecretKeys.read(settings.privateKeyFiles()));
        }
        return keys;
    }

    /** Reads a key of the configuration; throws {@link IllegalArgumentException} stating what is wrong. */
    public static IssuerKey read(String text) {
        return IssuerKey.read(TokenType.BLIND_RSA, IssuerDirectory.bytes(text));
    }

    /** Reads the key in a file; throws {@link IllegalArgumentException} or {@link UncheckedIOException} stating what is wrong. */
    public static IssuerKey read(Path file) {
        try {
            return IssuerKey.read(TokenType.BLIND_RSA, decode(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException("public-key-files: " + file + " (expected: a readable file)", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("public-key-files: " + file + ": " + e.getMessage(), e);
        }
    }

    private static byte[] decode(byte[] content) {
        if (content.length > 0 && content[0] == DER_SEQUENCE) {
            return content;
        }
        String text = new String(content, ISO_8859_1).strip();
        if (text.startsWith(BEGIN) && text.endsWith(END)) {
            return Base64.getMimeDecoder().decode(text.substring(BEGIN.length(), text.length() - END.length()));
        }
        return IssuerDirectory.bytes(text);
    }
}
