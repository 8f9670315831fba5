package dev.postern.core.exchange;

import dev.postern.core.transport.TunnelPeer;

/** Tunnel handler: takes over the client's end after the response to a CONNECT or an upgrade. */
public interface TunnelHandler {

    /** Opens the tunnel with the client's end: its connection without the HTTP codec, or its stream; bytes received early are read next. */
    void open(TunnelPeer client);
}
