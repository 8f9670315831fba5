package dev.postern.core.http2.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestBodyQueueTest {

    private final UpstreamRequestBody.RequestBodyQueue queue = new UpstreamRequestBody.RequestBodyQueue();

    @Test
    void pausesTheClientAt64KiB() {
        queue.add(64 * 1024 - 1);
        assertThat(queue.writable()).isTrue();

        int last = queue.add(1000);
        assertThat(queue.writable()).isFalse();
        assertThat(queue.written(last)).as("may send again").isTrue();
    }

    @Test
    void tellsOnlyAPausedClientToGoOn() {
        int piece = queue.add(1000);
        assertThat(queue.writable()).isTrue();

        assertThat(queue.written(piece)).isFalse();
    }

    @Test
    void countsTheMemoryOfTinyPieces() {
        for (int i = 0; i < 256; i++) {
            assertThat(queue.writable()).isTrue();
            queue.add(1);
        }
        assertThat(queue.writable()).isFalse();
    }

    @Test
    void beginsEmpty() {
        queue.add(100_000);
        assertThat(queue.writable()).isFalse();

        queue.begin();

        assertThat(queue.writable()).isTrue();
    }
}
