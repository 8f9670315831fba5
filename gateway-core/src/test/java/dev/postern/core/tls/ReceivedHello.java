package dev.postern.core.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Reads the server name of a client for origins of tests, whose JDK ignores it: ServerContext switches the extension off. */
public final class ReceivedHello {

    private ReceivedHello() {}

    /** Connection of an origin, and the server name that its client sent; empty for none. */
    public record Accepted(SSLSocket socket, String serverName) {}

    /** Reads the first record, and returns the connection for the handshake. */
    public static Accepted read(Socket accepted, SSLContext context) throws IOException {
        DataInputStream in = new DataInputStream(accepted.getInputStream());
        byte[] header = in.readNBytes(5);
        int length = ByteBuffer.wrap(header).getShort(3);
        ByteBuf record = Unpooled.wrappedBuffer(header, in.readNBytes(length));
        byte[] bytes = new byte[record.readableBytes()];
        record.getBytes(0, bytes);
        ClientHello hello = ClientHello.read(record);
        String name = hello == null || hello.serverName() == null ? "" : hello.serverName();
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(accepted, new ByteArrayInputStream(bytes), true);
        return new Accepted(socket, name);
    }
}
