package dev.postern.load.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenStreamTest {
    @TempDir
    private Path folder;

    @Test
    void returnsEachTokenOnceAndEnds() throws Exception {
        // More than the queue holds, and blank lines.
        List<String> tokens =
                IntStream.range(0, 3000).mapToObj(i -> "token-" + i).toList();
        TokenStream stream = stream(String.join("\n\n", tokens) + "\n");

        List<Object> read = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            read.add(stream.next().get("token"));
        }

        assertThat(read).isEqualTo(tokens);
        assertThatThrownBy(stream::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void isFullBeforeTheFirstToken() throws Exception {
        TokenStream stream = stream("a\nb\n");

        stream.awaitFull();

        assertThat(stream.hasNext()).isTrue();
        assertThat(stream.next()).isEqualTo(Map.of("token", "a"));
        assertThat(stream.next()).isEqualTo(Map.of("token", "b"));
        assertThat(stream.hasNext()).isFalse();
    }

    private TokenStream stream(String lines) throws IOException {
        return new TokenStream(Files.writeString(folder.resolve("tokens"), lines));
    }
}
