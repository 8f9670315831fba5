package dev.postern.load.jmh;

import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Read of the current time, from the ticker of an event loop as the gateway reads it, and from the JDK as it did before. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TickerRead {

    /** One event loop of the transport that the gateway chooses. */
    private final EventLoopGroup loops = Transport.open(Transport.Kind.AUTO).eventLoops(1);

    private final EventLoop loop = loops.next();
    private final Deadline deadline = new Deadline(loop, () -> {});

    @TearDown
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Benchmark
    public long system() {
        return System.nanoTime();
    }

    @Benchmark
    public long ticker() {
        return loop.ticker().nanoTime();
    }

    /** Reads through a deadline, as handlers do that keep no event loop. */
    @Benchmark
    public long deadline() {
        return deadline.now();
    }
}
