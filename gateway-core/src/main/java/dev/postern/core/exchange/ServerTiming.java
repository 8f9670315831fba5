package dev.postern.core.exchange;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import java.util.concurrent.TimeUnit;

/**
 * Server timing: tells a client how the time of its exchange until the start of the response was spent, in the field {@code Server-Timing}
 * (W3C Server Timing), with one metric in milliseconds for each stage that took time and {@code total}, their sum.
 */
final class ServerTiming {

    private static final StageName[] STAGES = StageName.values();

    private ServerTiming() {}

    static Field of(Timeline timeline) {
        StringBuilder value = new StringBuilder(160);
        for (StageName stage : STAGES) {
            if (timeline.nanos(stage) > 0) {
                metric(value, stage.label(), timeline.nanos(stage));
                value.append(", ");
            }
        }
        metric(value, "total", timeline.total());
        return Field.of(FieldName.SERVER_TIMING, value);
    }

    private static void metric(StringBuilder to, String name, long nanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        String fraction = Long.toString(1_000 + micros % 1_000).substring(1);
        to.append(name).append(";dur=").append(micros / 1_000).append('.').append(fraction);
    }
}
