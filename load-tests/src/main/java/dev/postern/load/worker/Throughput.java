package dev.postern.load.worker;

/**
 * Throughput of flows that sent messages for some time.
 *
 * @param messages that came back
 * @param outOfOrder those of them that came behind a later one of the same flow, twice, or altered
 * @param missing messages that did not come back
 */
public record Throughput(long messages, double seconds, long outOfOrder, long missing) {
    public double perSecond() {
        return messages / seconds;
    }
}
