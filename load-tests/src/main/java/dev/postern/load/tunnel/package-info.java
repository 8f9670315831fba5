/**
 * Client of a forward proxy in plain Java, without code of the request path of the gateway: tunnels over TCP (CONNECT) and over UDP (CONNECT-UDP, RFC 9298),
 * both over HTTP/1.1.
 *
 * <pre>{@code
 * TunnelClient client = new TunnelClient(new InetSocketAddress("127.0.0.1", 3128), "PrivateToken token=\"...\"");
 * try (UdpTunnel tunnel = client.udp("127.0.0.1", 7007)) {
 *     tunnel.send("hello".getBytes(UTF_8));
 *     byte[] reply = tunnel.receive();
 * }
 * }</pre>
 *
 * <p>Used by packages {@code worker}, {@code run} and {@code simulation}.
 */
@NullMarked
package dev.postern.load.tunnel;

import org.jspecify.annotations.NullMarked;
