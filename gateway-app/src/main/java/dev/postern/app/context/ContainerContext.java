package dev.postern.app.context;

import java.util.List;
import java.util.function.Supplier;

/**
 * Context of the container: its limits beside the resources that the JVM assumes. The kernel throttles or kills a process beyond the
 * limits.
 */
public final class ContainerContext implements ContextSource {

    private final CgroupLimits limits;
    private final Supplier<JvmFacts> facts;

    public ContainerContext(CgroupLimits limits, Supplier<JvmFacts> facts) {
        this.limits = limits;
        this.facts = facts;
    }

    @Override
    public List<ContextItem> items() {
        JvmFacts current = facts.get();
        return List.of(processors(current), memory(current));
    }

    private ContextItem processors(JvmFacts current) {
        double cpus = limits.processors();
        String found = Integer.toString(current.processors());
        if (Double.isInfinite(cpus)) {
            return ContextItem.fact("container.processors", found);
        }
        // The JVM rounds up and assumes at least one processor.
        long wanted = Math.max(1, (long) Math.ceil(cpus));
        return ContextItem.judged(
                "container.processors",
                "at most " + wanted,
                found,
                current.processors() <= wanted,
                "Take -XX:ActiveProcessorCount or -XX:-UseContainerSupport out of the flags of the JVM, or give the container "
                        + found
                        + " processors: the kernel suspends threads beyond the limit for tenths of a second.");
    }

    private ContextItem memory(JvmFacts current) {
        long limit = limits.memory();
        long most = current.maxHeap() + current.maxDirect();
        String found = Long.toString(most);
        if (limit == Long.MAX_VALUE) {
            return ContextItem.fact("container.memory-bytes", found);
        }
        return ContextItem.judged(
                "container.memory-bytes",
                "less than " + limit,
                found,
                most < limit,
                "-XX:MaxRAMPercentage=45: heap and direct memory may come to more than the container has, and then the kernel kills it.");
    }
}
