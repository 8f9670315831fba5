package dev.postern.auth.spend;

/**
 * Socket facts of one connection of the ledger.
 *
 * @param server name of the server as configured
 * @param noDelay TCP_NODELAY, read from the socket
 * @param segmentsPerCommand TCP segments with data divided by commands, since the connection was opened; NaN where the number is not
 *     available or no command was sent
 */
public record StoreConnectionInfo(String server, boolean noDelay, double segmentsPerCommand) {}
