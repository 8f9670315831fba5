package dev.postern.core.tls;

import dev.postern.core.tls.certificate.KeyPairFiles;
import dev.postern.core.tls.certificate.OcspResponse;
import dev.postern.core.tls.certificate.Pem;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OCSP responses of a listener's certificates, read from files. A response that clients would reject is not stapled, with a line in the
 * log, once for each reason. For one thread at a time.
 */
final class OcspFiles {

    private static final Logger LOG = LoggerFactory.getLogger(OcspFiles.class);
    private static final byte[] NONE = {};

    private final List<KeyPairFiles> pairs;
    private final InstantSource clock;
    private final boolean stapling;
    private final Map<Path, String> reported = new HashMap<>();

    OcspFiles(List<KeyPairFiles> pairs, TlsEnvironment environment) {
        this.pairs = pairs;
        this.clock = environment.clock();
        this.stapling = environment.engine().isNative();
    }

    /** Returns the response for each chain (PEM) that can be stapled now; empty for none. */
    List<byte[]> read(List<byte[]> chains) {
        List<byte[]> responses = new ArrayList<>();
        for (int i = 0; i < chains.size(); i++) {
            Path file = pairs.get(i).ocsp();
            responses.add(file == null ? NONE : read(file, chains.get(i)));
        }
        return responses;
    }

    private byte[] read(Path file, byte[] chain) {
        try {
            byte[] response = Pem.read(file);
            X509Certificate[] certificates = Pem.certificates(chain);
            if (!stapling) {
                throw new IllegalArgumentException(
                        "the JDK's engine can't staple it (expected: tls-engine: boringssl)");
            }
            OcspResponse.check(response, certificates, clock.instant());
            reported.remove(file);
            return response;
        } catch (IllegalArgumentException e) {
            report(file, e.getMessage());
            return NONE;
        }
    }

    private void report(Path file, @Nullable String reason) {
        String text = String.valueOf(reason);
        if (!text.equals(reported.put(file, text))) {
            LOG.warn("ocsp-file: {}: {}; no OCSP response is stapled", file, text);
        }
    }
}
