package dev.postern.ratelimit.waiting;

import dev.postern.core.config.Rate;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rate limit header fields of a refusal (draft-ietf-httpapi-ratelimit-headers-10); those of a room without a rate name no rate. */
public final class RateLimitHeaders {

    private RateLimitHeaders() {}

    /** @param retryMicros time until the limit allows one more request */
    public static List<Field> of(RateLimitRule rule, long retryMicros) {
        return of(rule.name(), rule.rate(), retryMicros);
    }

    /**
     * @param name name of the limit, without quotes
     * @param rate null for a room without a rate
     */
    public static List<Field> of(String name, @Nullable Rate rate, long retryMicros) {
        long seconds = Math.max(1, QueuePosition.seconds(retryMicros));
        Field retryAfter = Field.of(FieldName.RETRY_AFTER, Long.toString(QueuePosition.spread(seconds)));
        if (rate == null) {
            return List.of(retryAfter);
        }
        String policy =
                "\"" + name + "\";q=" + rate.count() + ";w=" + rate.period().toSeconds();
        return List.of(
                retryAfter,
                Field.of(FieldName.RATE_LIMIT_POLICY, policy),
                Field.of(FieldName.RATE_LIMIT, "\"" + name + "\";r=0;t=" + seconds));
    }
}
