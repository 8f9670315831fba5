package dev.postern.core.testing;

import dev.postern.core.connection.AcceptLimits;
import dev.postern.core.http1.Http1Limits;
import java.time.Duration;

/** Limits of client connections that no test reaches by chance. */
public final class TestLimits {

    public static final AcceptLimits ACCEPT =
            new AcceptLimits(100_000, 0, Duration.ofSeconds(10), Duration.ofSeconds(30), 0);

    public static final Http1Limits HTTP1 = new Http1Limits(
            16 * 1024, 64 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 8);

    private TestLimits() {}
}
