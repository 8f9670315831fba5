package dev.postern.app.cli;

/** Sizing of tunnels: resident bytes of the gateway for each idle one, the most of three rounds of {@code load-tests/bench tunnels}. */
enum TunnelSizing {
    /** CONNECT over HTTP/1.1. */
    TCP("tcp", 5_700),
    /** CONNECT-UDP over HTTP/1.1. */
    UDP("udp", 6_200),
    /** CONNECT over HTTP/2, on connections with 100 streams each. */
    STREAM("http2-stream", 2_800);

    private final String label;
    private final int bytes;

    TunnelSizing(String label, int bytes) {
        this.label = label;
        this.bytes = bytes;
    }

    String label() {
        return label;
    }

    int bytes() {
        return bytes;
    }
}
