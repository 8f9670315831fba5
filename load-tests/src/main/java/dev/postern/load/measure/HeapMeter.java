package dev.postern.load.measure;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Counts what the threads of another JVM allocate on its heap, to the byte, by the management agent that every JDK has inside: nothing needs to be
 * set when that JVM starts.
 */
public final class HeapMeter implements AutoCloseable {
    private final JMXConnector connector;
    private final ThreadMXBean threads;

    private HeapMeter(JMXConnector connector, ThreadMXBean threads) {
        this.connector = connector;
        this.threads = threads;
    }

    @SuppressWarnings("BanJNDI") // The address is the one that our own child just told us.
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

    /** Bytes that the threads that live now have allocated since they began; the question itself allocates some of them. */
    public long allocated() {
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(bytes, 0);
        }
        return sum;
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
