package dev.postern.app.admin;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.rate.Gcra;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Limiter of wrong tokens: ten a minute of one address, of the last addresses that sent one. Thread-safe. */
final class GuessLimiter {

    static final int MAX_ADDRESSES = 1024;
    static final int BURST = 10;

    private static final long MICROS = TimeUnit.SECONDS.toMicros(1);
    private static final Gcra PACE = Gcra.of(BURST, TimeUnit.MINUTES.toMicros(1), BURST - 1);

    private final Ticker ticker;
    private final long origin;
    private final Map<AddressPrefix, Long> arrivals = new LinkedHashMap<>();

    GuessLimiter(Ticker ticker) {
        this.ticker = ticker;
        this.origin = ticker.nanoTime();
    }

    /** Returns the seconds until a token from the address is looked at; 0 for now. */
    synchronized long pause(InetAddress address) {
        long micros = PACE.wait(arrivals.getOrDefault(client(address), 0L), now());
        return (micros + MICROS - 1) / MICROS;
    }

    /** Counts a wrong token from the address. The address that sent none for longest is forgotten where there are too many. */
    synchronized void wrong(InetAddress address) {
        AddressPrefix client = client(address);
        Long before = arrivals.remove(client);
        arrivals.put(client, PACE.next(before == null ? 0 : before, now()));
        if (arrivals.size() > MAX_ADDRESSES) {
            arrivals.remove(arrivals.keySet().iterator().next());
        }
    }

    private static AddressPrefix client(InetAddress address) {
        return ClientNetworks.WELL_KNOWN.client(address);
    }

    private long now() {
        return TimeUnit.NANOSECONDS.toMicros(ticker.nanoTime() - origin);
    }
}
