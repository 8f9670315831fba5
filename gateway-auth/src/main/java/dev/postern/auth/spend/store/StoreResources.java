package dev.postern.auth.spend.store;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Resources that all server handles of a ledger share.
 *
 * @param spent keys that a server reported as spent
 * @param deadlines of the spends of each event loop
 * @param deadline of a spend
 */
public record StoreResources(
        EpochState state,
        SpentCache spent,
        LedgerMeters meters,
        LedgerScheduler scheduler,
        EventLoopLocal<EventLoopDeadlines> deadlines,
        Duration deadline) {

    /**
     * Creates the resources of a ledger.
     *
     * @param markers number of epoch markers of all servers
     */
    public static StoreResources open(
            int markers, LedgerSettings settings, MeterRegistry registry, InstantSource clock, Ticker ticker) {
        return new StoreResources(
                new EpochState(markers, settings.whenForgotten(), clock),
                new SpentCache().bind(registry),
                new LedgerMeters(registry),
                new LedgerScheduler(ticker),
                new EventLoopLocal<>(EventLoopDeadlines::new),
                settings.deadline());
    }
}
