package dev.postern.load.run;

import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.ProcessStatus;

/** Figure of a gateway: a gauge of its metrics page, and for some a better source in the kernel if the process is on this machine. */
public enum Figure {
    RESIDENT_MIB("", "", 1024 * 1024) {
        @Override
        double ofProcess(long pid) {
            return ProcessStatus.resident(pid);
        }
    },
    DESCRIPTORS("process_files_open_files", "", 1) {
        @Override
        double ofProcess(long pid) {
            return ProcessStatus.descriptors(pid);
        }
    },
    /** Of a process without those of the JIT compilers, whose number follows the amount of code to compile. */
    THREADS("jvm_threads_live_threads", "", 1) {
        @Override
        double ofProcess(long pid) {
            return ProcessStatus.workThreads(pid);
        }
    },
    HEAP_MIB("jvm_memory_used_bytes", "area=\"heap\"", 1024 * 1024),
    /** Compiled code, metadata of classes and profiles of methods. */
    NON_HEAP_MIB("jvm_memory_used_bytes", "area=\"nonheap\"", 1024 * 1024),
    DIRECT_MIB("netty_allocator_memory_used", "memory_type=\"direct\"", 1024 * 1024),
    CLIENT_CONNECTIONS("postern_connections", "", 1),
    UPSTREAM_CONNECTIONS("postern_upstream_connections", "state=\"open\"", 1),
    ROOM_WAITING("postern_room_waiting", "", 1),
    ROOM_ACTIVE("postern_room_active", "", 1),
    ROOM_BOUND("postern_room_bound", "", 1),
    TUNNELS("postern_tunnels", "", 1);

    private final String meter;
    private final String label;
    private final double unit;

    Figure(String meter, String label, double unit) {
        this.meter = meter;
        this.label = label;
        this.unit = unit;
    }

    /** Returns the value; NaN if neither the page nor the process has it. */
    double read(MetricsPage page, long pid) {
        double own = pid > 0 ? ofProcess(pid) : Double.NaN;
        return (Double.isNaN(own) ? page.sum(meter, label) : own) / unit;
    }

    double ofProcess(long pid) {
        return Double.NaN;
    }
}
