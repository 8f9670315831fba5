package dev.postern.peers;

/** Client library that sends requests as it is usually configured. */
interface HttpPeer {
    Response send(Ask ask) throws Exception;
}
