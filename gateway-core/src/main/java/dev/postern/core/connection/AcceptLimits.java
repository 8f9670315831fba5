package dev.postern.core.connection;

import java.time.Duration;

/**
 * Limits of client connections: how many may be open, and how long each phase outside an exchange may take.
 *
 * @param connections in the whole process
 * @param perAddress from one IPv4 address or one /64 of IPv6; 0 for no limit
 * @param head until the header of the PROXY protocol is complete
 * @param writeIdle how long a client may take no byte of data that waits to be written
 * @param outboundBytes bytes that may wait to be written to clients, in the whole process; 0 for no limit
 */
public record AcceptLimits(int connections, int perAddress, Duration head, Duration writeIdle, long outboundBytes) {}
