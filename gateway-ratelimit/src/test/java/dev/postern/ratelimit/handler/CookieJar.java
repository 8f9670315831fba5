package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Stores the cookies of one host as a browser does. */
final class CookieJar {

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Returns the field Cookie of a request; empty without cookies. */
    String cookie() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + '=' + entry.getValue())
                .collect(Collectors.joining("; "));
    }

    AdmissionResult store(AdmissionResult result) {
        for (String set : result.setCookies()) {
            String[] pair = set.split(";", 2)[0].split("=", 2);
            if (set.contains("Max-Age=0")) {
                values.remove(pair[0]);
            } else {
                values.put(pair[0], pair[1]);
            }
        }
        return result;
    }

    int size() {
        return values.size();
    }
}
