package dev.postern.core.testing;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class when a buffer was garbage-collected without having been released. Leak detection runs on PARANOID in all tests; this
 * extension turns its reports into failures.
 */
public final class LeakExtension implements BeforeAllCallback, AfterAllCallback {

    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingFactory());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        LEAKS.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // The detector reports a leak when the next buffer is made after the collection of the lost one.
        for (int i = 0; i < 3; i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        if (!LEAKS.isEmpty()) {
            throw new AssertionError(LEAKS.size() + " leaked buffers (expected: none), first: " + LEAKS.peek());
        }
    }

    private static final class RecordingFactory extends ResourceLeakDetectorFactory {

        @Override
        @SuppressWarnings(
                "deprecation") // abstract, so it must be implemented; Netty calls the other method, which calls this
        // one
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int interval, long active) {
            return new RecordingDetector<>(resource, interval);
        }
    }

    private static final class RecordingDetector<T> extends ResourceLeakDetector<T> {

        RecordingDetector(Class<T> resource, int interval) {
            super(resource, interval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String type, String records) {
            LEAKS.add(type + records);
        }

        @Override
        protected void reportUntracedLeak(String type) {
            LEAKS.add(type);
        }
    }
}
