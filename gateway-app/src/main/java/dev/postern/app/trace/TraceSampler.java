package dev.postern.app.trace;

import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sampler of traces: traces exchanges with a sampled parent, and a share of those without a parent. Each event loop decides on its own. */
final class TraceSampler {

    private final double share;
    private final EventLoopLocal<SplittableRandom> randoms;

    /**
     * @param share 0..1
     * @param seeds one per event loop. Upstreams see the generated ids and must not predict other random numbers from them, so these seeds
     *     serve no other purpose
     */
    TraceSampler(double share, LongSupplier seeds) {
        this.share = share;
        this.randoms = new EventLoopLocal<>(loop -> new SplittableRandom(seeds.getAsLong()));
    }

    /** Returns the trace of a new exchange with the given parent, or null if it is not traced; on the given event loop. */
    @Nullable
    Trace of(@Nullable TraceContext parent, EventLoop loop) {
        SplittableRandom random = randoms.get(loop);
        if (parent != null) {
            return parent.sampled() ? trace(parent, parent.span(), random) : null;
        }
        if (random.nextDouble() >= share) {
            return null;
        }
        return trace(new TraceContext(id(random), random.nextLong(), id(random), TraceContext.SAMPLED), 0, random);
    }

    private static Trace trace(TraceContext context, long parent, SplittableRandom random) {
        return new Trace(context.with(id(random)), parent, context.with(id(random)));
    }

    /** Returns a random id, never 0, which is invalid. */
    private static long id(SplittableRandom random) {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }
}
