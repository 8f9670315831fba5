package dev.postern.core.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Server names of TLS clients, of any bytes: Java's SNIHostName refuses many that other clients send. */
public final class ServerNames {

    private static final int HOST_NAME = 0;
    private static final int RECORD_HEADER = 5;

    private ServerNames() {}

    /** Returns the name for the parameters of a client. */
    public static SNIServerName of(byte[] name) {
        return new Raw(name);
    }

    private static final class Raw extends SNIServerName {

        private Raw(byte[] name) {
            super(HOST_NAME, name);
        }
    }

    /** Returns the first record of a client that sends no server name. */
    public static byte[] hello() {
        return hello((byte[]) null);
    }

    /** Returns the first record of a client that sends the server name. */
    public static byte[] hello(byte @Nullable [] name) {
        SSLEngine client = TestCertificate.context(null).createSSLEngine();
        client.setUseClientMode(true);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setServerNames(name == null ? List.of() : List.of(of(name)));
        client.setSSLParameters(parameters);
        ByteBuffer record = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        try {
            client.wrap(ByteBuffer.allocate(0), record);
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
        return Arrays.copyOf(record.array(), record.position());
    }

    /** Returns the same message in several records, of these sizes and a last one with the rest. */
    public static byte[] records(byte[] record, int... sizes) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int at = RECORD_HEADER;
        for (int size : sizes) {
            add(all, record, at, size);
            at += size;
        }
        add(all, record, at, record.length - at);
        return all.toByteArray();
    }

    private static void add(ByteArrayOutputStream all, byte[] record, int at, int size) {
        all.write(record, 0, 3);
        all.write(size >> 8);
        all.write(size);
        all.write(record, at, size);
    }
}
