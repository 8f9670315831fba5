package dev.postern.app.reading;

import dev.postern.core.fuzz.StrictHost;
import dev.postern.core.fuzz.StrictPath;
import dev.postern.core.fuzz.StrictReadings;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One way to write a request.
 *
 * @param absolute whether HTTP/1.1 sends it in absolute-form (RFC 9112 section 3.2.2)
 */
record Spelling(String host, String path, boolean absolute) {

    /** As HTTP/1.1 writes it. */
    String head() {
        return "GET " + (absolute ? "http://" + host : "") + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }

    /** Whether it is well-formed, and all its readings lie at the prefix, or none; by rules that were written apart from the gateway's. */
    boolean leadsToOne(String prefix) {
        int query = path.indexOf('?');
        String bare = query < 0 ? path : path.substring(0, query);
        if (!path.matches("[!$-;=?-\\[\\]-~]*") || StrictHost.of(host) == null) {
            return false;
        }
        @Nullable String normal = StrictPath.of(bare);
        @Nullable Set<String> readings = normal == null ? null : StrictReadings.of(normal);
        if (readings == null) {
            return false;
        }
        long inside = readings.stream()
                .filter(reading -> (reading + "/").startsWith(prefix + "/"))
                .count();
        return inside == 0 || inside == readings.size();
    }

    @Override
    public String toString() {
        return (absolute ? "http://" : "") + host + " " + path;
    }
}
