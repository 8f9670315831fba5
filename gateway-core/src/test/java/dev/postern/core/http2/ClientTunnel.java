package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.RawClient;

/** Client's end of an open tunnel. */
interface ClientTunnel extends AutoCloseable {

    void send(String text);

    /** Ends the direction to the destination. */
    void finish();

    /** Reads the first bytes of the tunnel. */
    String read(int count);

    /** Waits for the end of the direction from the destination; fails after further bytes. */
    void awaitEnd();

    void reset();

    @Override
    void close();

    /** Tunnel that is a connection. */
    record OfSocket(RawClient client) implements ClientTunnel {

        @Override
        public void send(String text) {
            client.send(text);
        }

        @Override
        public void finish() {
            client.finish();
        }

        @Override
        public String read(int count) {
            return client.readBytes(count);
        }

        @Override
        public void awaitEnd() {
            assertThat(client.closedByPeer()).isTrue();
        }

        @Override
        public void reset() {
            client.reset();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Tunnel that is a stream. */
    record OfStream(FrameClient client, int id) implements ClientTunnel {

        @Override
        public void send(String text) {
            client.data(id, false, text);
        }

        @Override
        public void finish() {
            client.data(id, true, "");
        }

        @Override
        public String read(int count) {
            Response response = client.soFar(id);
            while (response.length() < count) {
                assertThat(client.next()).as("data on stream " + id).isNotNull();
                assertThat(response.reset()).as("reset of stream " + id).isEmpty();
            }
            return response.body();
        }

        @Override
        public void awaitEnd() {
            int before = client.soFar(id).length();
            Response response = client.response(id);
            assertThat(response.ended()).isTrue();
            assertThat(response.reset()).isEmpty();
            assertThat(response.length()).isEqualTo(before);
        }

        @Override
        public void reset() {
            client.reset(id);
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
