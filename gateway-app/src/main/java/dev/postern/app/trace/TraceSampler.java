package dev.postern.app.trace;

import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Which exchanges are traced: those whose parent is, and of those without a parent a share. Each event loop chooses by itself. */
final class TraceSampler {

    private final double share;
    private final EventLoopLocal<SplittableRandom> randoms;

    /**
     * @param share 0..1
     * @param seeds one for each event loop. The numbers are told to upstreams, who must not guess others' by them, so nothing else is
     *     made of the same ones
     */
    TraceSampler(double share, LongSupplier seeds) {
        this.share = share;
        this.randoms = new EventLoopLocal<>(loop -> new SplittableRandom(seeds.getAsLong()));
    }

    /** The trace of a new exchange with that parent, or null when it is not traced; on that loop. */
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

    /** Never 0, which is no id. */
    private static long id(SplittableRandom random) {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }
}
