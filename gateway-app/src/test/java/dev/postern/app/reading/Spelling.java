package dev.postern.app.reading;

import dev.postern.core.fuzz.StrictHost;
import dev.postern.core.fuzz.StrictPath;
import dev.postern.core.fuzz.StrictReadings;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Host and path in one of their spellings.
 *
 * @param absolute whether HTTP/1.1 sends it in absolute-form (RFC 9112 section 3.2.2)
 */
record Spelling(String host, String path, boolean absolute) {

    /** Path that a server may read as one of the protected host. */
    private static final Pattern PROTECTED_AUTHORITY =
            Pattern.compile("(?i)//+(([^/]*@)?api\\.example\\.?(:[0-9]*)?|[^/]*%[89A-F][^/]*)(/.*)?");

    /** Returns the head of an HTTP/1.1 request. */
    String head() {
        return "GET " + (absolute ? "http://" + host : "") + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }

    /**
     * Returns whether the path is valid and either all or none of its readings are below the prefix; by rules that are independent of the
     * gateway's.
     */
    boolean leadsToOne(String prefix) {
        int query = path.indexOf('?');
        String bare = query < 0 ? path : path.substring(0, query);
        if (!path.matches("[!$-;=?-\\[\\]-~]*") || StrictHost.of(host) == null) {
            return false;
        }
        @Nullable String normal = StrictPath.of(bare);
        @Nullable Set<String> readings = normal == null ? null : StrictReadings.of(bare);
        if (readings == null) {
            return false;
        }
        if (readings.stream()
                .anyMatch(reading -> PROTECTED_AUTHORITY.matcher(reading).matches())) {
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
