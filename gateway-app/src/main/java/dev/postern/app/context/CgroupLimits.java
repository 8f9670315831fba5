package dev.postern.app.context;

import java.nio.file.Path;
import java.util.List;

/** The limits of the control group that the process is in, of version 2 or 1 of the kernel's interface. */
public final class CgroupLimits {

    /** What version 1 calls unlimited is a number near the largest there is. */
    private static final long UNLIMITED = Long.MAX_VALUE / 2;

    private final ProcFiles groups;
    private final ProcFiles proc;

    /**
     * @param groups usually {@code /sys/fs/cgroup}
     * @param proc tells which group the process is in
     */
    public CgroupLimits(Path groups, ProcFiles proc) {
        this.groups = new ProcFiles(groups);
        this.proc = proc;
    }

    /** How many processors' time may be used; infinite for all. */
    double processors() {
        List<String> joined = words("", "cpu.max");
        if (joined.size() == 2) {
            return joined.get(0).equals("max") ? Double.POSITIVE_INFINITY : ratio(joined.get(0), joined.get(1));
        }
        List<String> quota = words("cpu", "cpu.cfs_quota_us");
        List<String> period = words("cpu", "cpu.cfs_period_us");
        boolean limited =
                quota.size() == 1 && period.size() == 1 && !quota.get(0).startsWith("-");
        return limited ? ratio(quota.get(0), period.get(0)) : Double.POSITIVE_INFINITY;
    }

    /** Bytes; the largest number for as many as there are. */
    long memory() {
        List<String> found = words("", "memory.max");
        if (found.isEmpty()) {
            found = words("memory", "memory.limit_in_bytes");
        }
        if (found.isEmpty() || found.get(0).equals("max")) {
            return Long.MAX_VALUE;
        }
        long bytes = Long.parseLong(found.get(0));
        return bytes >= UNLIMITED ? Long.MAX_VALUE : bytes;
    }

    /**
     * The words of that file of our group. Inside a container the group stands at the root; where it doesn't, the kernel tells its path.
     *
     * @param controller of version 1; empty for version 2
     */
    private List<String> words(String controller, String file) {
        String folder = controller.isEmpty() ? "" : controller + "/";
        List<String> own = groups.words(folder + path(controller) + file);
        return own.isEmpty() ? groups.words(folder + file) : own;
    }

    private String path(String controller) {
        return proc.text("self/cgroup")
                .lines()
                .map(line -> line.split(":", 3))
                .filter(parts ->
                        parts.length == 3 && List.of(parts[1].split(",")).contains(controller))
                .map(parts -> parts[2].substring(1))
                .map(path -> path.isEmpty() ? "" : path + "/")
                .findFirst()
                .orElse("");
    }

    private static double ratio(String quota, String period) {
        return Double.parseDouble(quota) / Double.parseDouble(period);
    }
}
