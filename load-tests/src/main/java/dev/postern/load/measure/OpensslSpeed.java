package dev.postern.load.measure;

import java.util.Arrays;
import java.util.List;

/** OpenSSL speed: RSA-2048 verifications per second of {@code openssl speed}, as a reference for the verifier. */
public final class OpensslSpeed {
    private OpensslSpeed() {}

    /** Returns verifications per second; takes twice the given seconds, because {@code openssl speed} signs as well. */
    public static double verifications(int seconds) {
        return parse(Command.output("taskset -c 1 openssl speed -seconds " + seconds + " rsa2048"));
    }

    /** Parses the output by column name, because OpenSSL 3.2 and later put encryption into the same table. */
    static double parse(String output) {
        String[] lines = output.split("\n");
        for (int i = 0; i + 1 < lines.length; i++) {
            if (lines[i].contains("verify/s")) {
                List<String> rates = Arrays.stream(lines[i].trim().split("\\s+"))
                        .filter(column -> column.endsWith("/s"))
                        .toList();
                String[] values = lines[i + 1].trim().split("\\s+");
                int column = values.length - rates.size() + rates.indexOf("verify/s");
                return Double.parseDouble(values[column]);
            }
        }
        throw new IllegalStateException("openssl speed: no column verify/s in its output:\n" + output);
    }
}
