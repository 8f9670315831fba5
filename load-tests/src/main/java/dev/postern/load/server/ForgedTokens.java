package dev.postern.load.server;

import dev.postern.load.measure.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * Forged tokens that only the signature check can refuse: nonce and signature are random, all other bytes are those of
 * a good token.
 */
public final class ForgedTokens {
    private static final int NONCE = 2;
    private static final int NONCE_LENGTH = 32;
    private static final int SIGNATURE_LENGTH = 256;

    private ForgedTokens() {}

    /** Writes the given number of tokens, one a line, modelled on the first token of the other file. */
    public static Path write(RunFolder folder, Path good, int tokens) {
        return Unchecked.get(() -> {
            byte[] token =
                    Base64.getUrlDecoder().decode(Files.readAllLines(good).get(0));
            Random random = new Random(9577);
            byte[] nonce = new byte[NONCE_LENGTH];
            byte[] signature = new byte[SIGNATURE_LENGTH];
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < tokens; i++) {
                random.nextBytes(nonce);
                random.nextBytes(signature);
                // Below every modulus: a number above the modulus is refused before the arithmetic.
                signature[0] = 0;
                System.arraycopy(nonce, 0, token, NONCE, NONCE_LENGTH);
                System.arraycopy(signature, 0, token, token.length - SIGNATURE_LENGTH, SIGNATURE_LENGTH);
                lines.add(Base64.getUrlEncoder().encodeToString(token));
            }
            return folder.write("forged-" + tokens + ".txt", String.join("\n", lines) + "\n");
        });
    }
}
