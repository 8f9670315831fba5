/**
 * Clients of the JVM as programs that {@code scripts/clients} asks by lines on their standard input; {@code scripts/peers/wire.py} describes the lines.
 */
package dev.postern.peers;
