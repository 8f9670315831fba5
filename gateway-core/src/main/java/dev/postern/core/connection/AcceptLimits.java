package dev.postern.core.connection;

import java.time.Duration;

/**
 * How many connections clients may have, and how long they may take over what is not an exchange.
 *
 * @param connections in the whole process
 * @param perAddress from one IPv4 address or one /64 of IPv6; 0 for no limit
 * @param head until the header of the PROXY protocol is complete
 * @param writeIdle a client that is sent something may take none of it for so long
 * @param unsent bytes that may wait to be written to clients, in the whole process; 0 for no bound
 */
public record AcceptLimits(int connections, int perAddress, Duration head, Duration writeIdle, long unsent) {

    public static final AcceptLimits DEFAULTS =
            new AcceptLimits(100_000, 0, Duration.ofSeconds(10), Duration.ofSeconds(30), 0);
}
