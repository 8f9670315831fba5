package dev.postern.app.context;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What the threads that collect garbage while everybody else stands still were given of the processor. A pause that lasts because other
 * processes have the cores is no fault of the heap's.
 */
final class CollectorThreads {

    private static final String TASKS = "self/task";

    /** As HotSpot names them; the serial collector works on the VM's own thread. */
    private static final Pattern NAMES = Pattern.compile("GC Thread#.*|ParGC Thread#.*|VM Thread");

    private static final double NANOS_PER_MILLI = 1e6;

    private final ProcFiles proc;

    CollectorThreads(ProcFiles proc) {
        this.proc = proc;
    }

    /** Milliseconds on a core since they began; not a number where the kernel doesn't tell. */
    double millis() {
        double all = 0;
        boolean notified = false;
        for (String task : proc.names(TASKS)) {
            if (NAMES.matcher(proc.text(TASKS + "/" + task + "/comm")).matches()) {
                List<String> times = proc.words(TASKS + "/" + task + "/schedstat");
                notified |= !times.isEmpty();
                all += times.isEmpty() ? 0 : Double.parseDouble(times.get(0)) / NANOS_PER_MILLI;
            }
        }
        return notified ? all : Double.NaN;
    }
}
