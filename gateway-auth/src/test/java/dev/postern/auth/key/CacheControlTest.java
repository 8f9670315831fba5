package dev.postern.auth.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheControlTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cache-control: max-age=60 | 60",
                "cache-control: public, Max-Age=\"60\" | 60",
                "cache-control: max-age=60; age: 45 | 15",
                "cache-control: max-age=60; age: 61 | 0",
                "cache-control: max-age=60, no-cache | 0",
                "cache-control: no-store | 0",
                "cache-control: max-age=soon | 0",
                "cache-control: max-age=99999999999999999999 | 0",
                "cache-control: max-age=60; expires: Fri, 20 Nov 2026 13:00:00 GMT | 60",
                "expires: Fri, 20 Nov 2026 13:00:00 GMT | 3600",
                "expires: Fri, 20 Nov 2026 13:00:00 GMT; date: Fri, 20 Nov 2026 12:59:00 GMT | 60",
                "expires: 0 | 0",
                "expires: Thu, 19 Nov 2026 13:00:00 GMT | 0"
            })
    void readsTheRulesOfHttpCaching(String fields, long seconds) {
        assertThat(CacheControl.of(headers(fields), NOW)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void isAbsentWithoutDirectives() {
        assertThat(CacheControl.of(headers("content-type: text/plain"), NOW)).isNull();
        assertThat(CacheControl.of(headers("cache-control: public"), NOW)).isNull();
    }

    private static HttpHeaders headers(String fields) {
        Map<String, List<String>> map = new TreeMap<>();
        Arrays.stream(fields.split(";"))
                .map(f -> f.split(":", 2))
                .forEach(f -> map.put(f[0].strip(), List.of(f[1].strip())));
        return HttpHeaders.of(map, (name, value) -> true);
    }
}
