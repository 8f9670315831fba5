package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.trailers;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Trailers;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakExtension.class)
class PausedResponseBufferTest {

    private final PausedResponseBuffer buffer = new PausedResponseBuffer();

    private String next() {
        ByteBuf data = buffer.next();
        if (data == null) {
            return "none";
        }
        String text = data.toString(ISO_8859_1);
        data.release();
        return text;
    }

    @Test
    void holdsWhilePausedAndUntilAllIsTaken() {
        assertThat(buffer.holds()).isFalse();
        buffer.pause();
        assertThat(buffer.holds()).isTrue();
        buffer.add(data("ab"));
        assertThat(next()).isEqualTo("none");
        buffer.resume();
        assertThat(buffer.holds()).as("older data first").isTrue();
        assertThat(next()).isEqualTo("ab");
        assertThat(buffer.holds()).isFalse();
        assertThat(next()).isEqualTo("none");
    }

    @Test
    void givesTheTrailersOnce() {
        Trailers section = trailers("x-sum", "7");
        buffer.trailers(section);
        assertThat(buffer.takeTrailers()).isSameAs(section);
        assertThat(buffer.takeTrailers()).isNull();
    }

    @Test
    void isEmptyForANewExchange() {
        buffer.pause();
        buffer.add(data("left"));
        buffer.trailers(trailers("x-sum", "7"));
        buffer.begin();
        assertThat(buffer.holds()).isFalse();
        assertThat(next()).isEqualTo("none");
        assertThat(buffer.takeTrailers()).isNull();
    }
}
