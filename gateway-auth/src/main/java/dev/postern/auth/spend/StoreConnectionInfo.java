package dev.postern.auth.spend;

/**
 * How the commands of one connection of the ledger go over the wire.
 *
 * @param server as configured
 * @param noDelay TCP_NODELAY, read back
 * @param segmentsPerCommand segments with data by commands since it connected; NaN where nobody can tell, or nothing was sent
 */
public record StoreConnectionInfo(String server, boolean noDelay, double segmentsPerCommand) {}
