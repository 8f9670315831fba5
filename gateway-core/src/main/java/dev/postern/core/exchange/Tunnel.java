package dev.postern.core.exchange;

import io.netty.channel.Channel;

/** What takes over the client's connection after a CONNECT or an upgrade was agreed to. */
public interface Tunnel {

    /** The client's channel, with the protocol taken out of its pipeline; bytes that came early are read next. */
    void open(Channel client);
}
