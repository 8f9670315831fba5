package dev.postern.load.worker;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;

/** Held sockets: each made one request by HTTP/2 or over TLS and then stays open; this side keeps no protocol state. */
final class HeldSockets implements Held {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] ACKNOWLEDGED = {0, 0, 0, 4, 1, 0, 0, 0, 0};
    /** GET, http, / and localhost, all from the static table but the last (RFC 7541 appendix A). */
    private static final byte[] GET = {
        0,
        0,
        14,
        1,
        5,
        0,
        0,
        0,
        1,
        (byte) 0x82,
        (byte) 0x86,
        (byte) 0x84,
        0x41,
        9,
        'l',
        'o',
        'c',
        'a',
        'l',
        'h',
        'o',
        's',
        't'
    };

    private static final int SETTINGS_FRAME = 4;
    private static final int END_STREAM = 1;

    private final List<Socket> open = new ArrayList<>();
    private final int port;
    private final boolean tls;

    HeldSockets(int port, boolean tls) {
        this.port = port;
        this.tls = tls;
    }

    @Override
    public int grow(int count) throws IOException {
        while (open.size() < count) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, HeldConnections.address(open.size()), 0);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(10_000);
            open.add(socket);
            if (tls) {
                askOverTls(socket);
            } else {
                askByHttp2(socket);
            }
        }
        return open.size();
    }

    /**
     * Checks that no socket has received data: without protocol state no request can be sent, but a server announces a
     * close first.
     */
    @Override
    public int check() throws IOException {
        for (Socket socket : open) {
            if (socket.getInputStream().available() > 0) {
                throw new IOException("an idle connection received data (expected: silence)");
            }
        }
        return open.size();
    }

    private static void askByHttp2(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
        out.write(SETTINGS);
        out.write(GET);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        boolean responded = false;
        while (!responded) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            in.skipNBytes(length);
            if (type == SETTINGS_FRAME && flags == 0) {
                out.write(ACKNOWLEDGED);
            }
            responded = stream == 1 && (flags & END_STREAM) != 0;
        }
    }

    private void askOverTls(Socket socket) throws IOException {
        SSLSocket secure =
                (SSLSocket) TrustEverybody.context().getSocketFactory().createSocket(socket, "localhost", port, false);
        secure.getOutputStream().write(HttpConnection.get("/", ""));
        byte[] response = new byte[512];
        int n = secure.getInputStream().read(response);
        String status = new String(response, 0, Math.max(0, n), StandardCharsets.ISO_8859_1);
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException("response: " + status.lines().findFirst().orElse("") + " (expected: 200)");
        }
    }
}
