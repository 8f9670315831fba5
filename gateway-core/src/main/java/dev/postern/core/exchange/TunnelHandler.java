package dev.postern.core.exchange;

import dev.postern.core.transport.TunnelPeer;

/** What takes over the client's end after a CONNECT or an upgrade was agreed to. */
public interface TunnelHandler {

    /** The client's end: its connection with the protocol taken out of the pipeline, or its stream; bytes that came early are read next. */
    void open(TunnelPeer client);
}
