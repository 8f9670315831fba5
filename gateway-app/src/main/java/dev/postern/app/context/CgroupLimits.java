package dev.postern.app.context;

import java.nio.file.Path;
import java.util.List;

/** Limits of the control group of the process, from version 2 or 1 of the kernel's interface. */
final class CgroupLimits {

    /** Threshold for no limit: version 1 shows a number near the maximum for unlimited memory. */
    private static final long UNLIMITED = Long.MAX_VALUE / 2;

    private final ProcFiles groups;
    private final ProcFiles proc;

    /**
     * @param groups usually {@code /sys/fs/cgroup}
     * @param proc contains the group of the process
     */
    CgroupLimits(Path groups, ProcFiles proc) {
        this.groups = new ProcFiles(groups);
        this.proc = proc;
    }

    /** Returns the processor time limit, in processors; infinite for no limit. */
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

    /** Returns the memory limit in bytes; the maximum number for no limit. */
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
     * Returns the words of the file for the group of the process. Inside a container the group is at the root; elsewhere {@code /proc}
     * contains its path.
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
