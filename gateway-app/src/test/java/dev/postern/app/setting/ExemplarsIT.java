package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Buckets of histograms show which trace to look at. */
class ExemplarsIT {

    private static final String OPEN_METRICS = "Accept: application/openmetrics-text; version=1.0.0";

    private static final Pattern BUCKET = Pattern.compile(
            "(?m)^(postern_\\w+)_seconds_bucket\\{\\w+=\"(\\w+)\"(?:,\\w+=\"\\d+\")?,le=\"([^\"]+)\"\\} \\d+"
                    + "(?: # \\{(.*)\\} (\\S+) \\S+)?$");

    /** A bucket with an exemplar. */
    private record Shown(String meter, String tag, double from, double to, String labels, double value) {}

    private static List<Shown> shown(Site site) {
        List<Shown> shown = new ArrayList<>();
        double before = 0;
        for (MatchResult line : BUCKET.matcher(
                        site.admin("/metrics", OPEN_METRICS).body())
                .results()
                .toList()) {
            double end = line.group(3).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(line.group(3));
            if (line.group(4) != null) {
                double value = Double.parseDouble(line.group(5));
                shown.add(new Shown(line.group(1), line.group(2), before, end, line.group(4), value));
            }
            before = end == Double.POSITIVE_INFINITY ? 0 : end;
        }
        return shown;
    }

    private static String labels(Span span) {
        return "span_id=\"" + Traced.hex(span.getSpanId()) + "\",trace_id=\"" + Traced.hex(span.getTraceId()) + "\"";
    }

    @Test
    void stagesShowTheTraceThatWasCountedThere() {
        try (Traced traced = Traced.with(Traced.ALL)) {
            traced.site.get("/");
            Span server = Traced.server(traced.spans(2));

            List<Shown> shown = shown(traced.site);
            assertThat(shown).extracting(Shown::tag).contains("match", "connect", "respond", "send");
            assertThat(shown).allSatisfy(one -> {
                assertThat(one.meter()).isEqualTo("postern_exchange_stage");
                assertThat(one.labels()).isEqualTo(labels(server));
                assertThat(one.value()).isGreaterThan(one.from()).isLessThanOrEqualTo(one.to());
                assertThat(Double.toString(one.value())).isEqualTo(Traced.told(server, "postern.stage." + one.tag()));
            });
            assertThat(traced.site
                            .admin("/metrics", OPEN_METRICS)
                            .body()
                            .lines()
                            .filter(line -> line.contains("# {")))
                    .as("Prometheus before 2.43 takes no page with others")
                    .allMatch(line -> line.contains("_bucket{"));
            assertThat(traced.site.metrics()).doesNotContain("trace_id");
        }
    }

    @Test
    void checksOfTokensAndOfTheLedgerShowTheirs() {
        try (Traced traced = Traced.asking("tracing.sample=0%", "tracing.trust-parent=all")) {
            traced.site.redeem(traced.site.token());
            assertThat(shown(traced.site)).isEmpty();

            String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
            traced.site.get("/", "Authorization: " + traced.site.token(), "traceparent: " + parent);

            Span server = Traced.server(traced.spans(2));
            for (String meter : List.of("postern_token_verify", "postern_spend")) {
                assertThat(shown(traced.site))
                        .filteredOn(one -> one.meter().equals(meter))
                        .singleElement()
                        .satisfies(one -> {
                            assertThat(one.labels()).isEqualTo(labels(server));
                            assertThat(one.value()).isGreaterThan(one.from()).isLessThanOrEqualTo(one.to());
                        });
            }
            assertThat(shown(traced.site))
                    .filteredOn(one -> one.meter().equals("postern_spend_part"))
                    .isNotEmpty()
                    .allSatisfy(one -> assertThat(one.labels()).isEqualTo(labels(server)));
        }
    }

    @Test
    void withoutTracesThereAreNone() {
        try (Site site = Site.asking()) {
            assertThat(site.redeem(site.token())).isEqualTo(200);
            assertThat(shown(site)).isEmpty();
            assertThat(site.admin("/metrics", OPEN_METRICS).body())
                    .contains("postern_spend_seconds_bucket{")
                    .doesNotContain("trace_id");
        }
    }
}
