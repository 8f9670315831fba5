package dev.postern.load.measure;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Heap meter of another JVM: counts the bytes that its threads allocate, through the management agent of the JDK. That
 * JVM needs no option at its start.
 */
public final class HeapMeter implements AutoCloseable {
    private final JMXConnector connector;
    private final ThreadMXBean threads;

    private HeapMeter(JMXConnector connector, ThreadMXBean threads) {
        this.connector = connector;
        this.threads = threads;
    }

    @SuppressWarnings("BanJNDI") // The address comes from a child process of the run.
    public static HeapMeter attach(long pid) {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
            try {
                JMXConnector connector =
                        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
                return new HeapMeter(
                        connector,
                        ManagementFactory.newPlatformMXBeanProxy(
                                connector.getMBeanServerConnection(),
                                ManagementFactory.THREAD_MXBEAN_NAME,
                                ThreadMXBean.class));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IllegalStateException(pid + ": can't be attached to (expected: a JVM of the same user)", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the bytes that the live threads have allocated since their start; the query itself allocates some bytes.
     */
    public long allocated() {
        return allocated(threads);
    }

    /** Returns the same for this JVM. */
    public static long allocatedHere() {
        return allocated((ThreadMXBean) ManagementFactory.getThreadMXBean());
    }

    private static long allocated(ThreadMXBean threads) {
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            Progress.say("while closing the connection to a JVM: " + e.getMessage());
        }
    }
}
