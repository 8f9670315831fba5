package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that histogram buckets have exemplars with the trace of an exchange. */
class ExemplarsIT {

    private static final String OPEN_METRICS = "Accept: application/openmetrics-text; version=1.0.0";

    private static final Pattern BUCKET = Pattern.compile(
            "(?m)^(postern_\\w+)_seconds_bucket\\{\\w+=\"(\\w+)\"(?:,\\w+=\"\\d+\")?,le=\"([^\"]+)\"\\} \\d+"
                    + "(?: # \\{(.*)\\} (\\S+) \\S+)?$");

    /** An exemplar with the bounds of its bucket. */
    private record Exemplar(String meter, String tag, double lower, double upper, String labels, double value) {}

    private static List<Exemplar> exemplars(Site site) {
        List<Exemplar> exemplars = new ArrayList<>();
        double lower = 0;
        for (MatchResult line : BUCKET.matcher(
                        site.admin("/metrics", OPEN_METRICS).body())
                .results()
                .toList()) {
            double upper = line.group(3).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(line.group(3));
            if (line.group(4) != null) {
                double value = Double.parseDouble(line.group(5));
                exemplars.add(new Exemplar(line.group(1), line.group(2), lower, upper, line.group(4), value));
            }
            lower = upper == Double.POSITIVE_INFINITY ? 0 : upper;
        }
        return exemplars;
    }

    private static String labels(Span span) {
        return "span_id=\"" + Traced.hex(span.getSpanId()) + "\",trace_id=\"" + Traced.hex(span.getTraceId()) + "\"";
    }

    @Test
    void stageBucketsHaveTheTraceOfTheirExchange() {
        try (Traced traced = Traced.with(Traced.ALL)) {
            traced.site.get("/");
            Span server = Traced.server(traced.spans(2));

            List<Exemplar> exemplars = exemplars(traced.site);
            assertThat(exemplars).extracting(Exemplar::tag).contains("match", "connect", "respond", "send");
            assertThat(exemplars).allSatisfy(one -> {
                assertThat(one.meter()).isEqualTo("postern_exchange_stage");
                assertThat(one.labels()).isEqualTo(labels(server));
                assertThat(one.value()).isGreaterThan(one.lower()).isLessThanOrEqualTo(one.upper());
                assertThat(Double.toString(one.value()))
                        .isEqualTo(Traced.attribute(server, "postern.stage." + one.tag()));
            });
            assertThat(traced.site
                            .admin("/metrics", OPEN_METRICS)
                            .body()
                            .lines()
                            .filter(line -> line.contains("# {")))
                    .as("Prometheus up to 2.42 accepts exemplars of buckets only")
                    .allMatch(line -> line.contains("_bucket{"));
            assertThat(traced.site.metrics()).doesNotContain("trace_id");
        }
    }

    @Test
    void tokenAndLedgerBucketsHaveTheTraceOfTheirExchange() {
        try (Traced traced = Traced.requiringTokens("tracing.sample=0%", "tracing.trust-parent=all")) {
            traced.site.redeem(traced.site.token());
            assertThat(exemplars(traced.site)).isEmpty();

            String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
            traced.site.get("/", "Authorization: " + traced.site.token(), "traceparent: " + parent);

            Span server = Traced.server(traced.spans(2));
            for (String meter : List.of("postern_token_verify", "postern_spend")) {
                assertThat(exemplars(traced.site))
                        .filteredOn(one -> one.meter().equals(meter))
                        .singleElement()
                        .satisfies(one -> {
                            assertThat(one.labels()).isEqualTo(labels(server));
                            assertThat(one.value()).isGreaterThan(one.lower()).isLessThanOrEqualTo(one.upper());
                        });
            }
            assertThat(exemplars(traced.site))
                    .filteredOn(one -> one.meter().equals("postern_spend_part"))
                    .isNotEmpty()
                    .allSatisfy(one -> assertThat(one.labels()).isEqualTo(labels(server)));
        }
    }

    @Test
    void noExemplarsWithoutTraces() {
        try (Site site = Site.requiringTokens()) {
            assertThat(site.redeem(site.token())).isEqualTo(200);
            assertThat(exemplars(site)).isEmpty();
            assertThat(site.admin("/metrics", OPEN_METRICS).body())
                    .contains("postern_spend_seconds_bucket{")
                    .doesNotContain("trace_id");
        }
    }
}
