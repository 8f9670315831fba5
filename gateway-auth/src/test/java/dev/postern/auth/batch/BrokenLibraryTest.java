package dev.postern.auth.batch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests libraries that cannot be used: the gateway states why, and verifies signatures one by one. */
class BrokenLibraryTest {

    /** Before Java 22 no library can be called, whatever its state. */
    private static final String OLD_JAVA = "Java (17|18|19|20|21) \\(expected: 22 or later\\)";

    @TempDir
    Path folder;

    @Test
    void missing() {
        refuses(folder.resolve("libcrypto_mb.so.11"));
    }

    @Test
    void empty() throws IOException {
        refuses(Files.createFile(folder.resolve("libcrypto_mb.so.11")));
    }

    @Test
    void corrupt() throws IOException {
        refuses(Files.writeString(folder.resolve("libcrypto_mb.so.11"), "no library ".repeat(10_000)));
    }

    @Test
    void ofAnotherArchitecture() throws IOException {
        byte[] header = new byte[4096];
        byte[] elf = HexFormat.of().parseHex("7f454c46020101000000000000000000" + "0300" + "0f00" + "01000000");
        System.arraycopy(elf, 0, header, 0, elf.length);
        refuses(Files.write(folder.resolve("libcrypto_mb.so.11"), header));
    }

    @Test
    void ofAnotherVersion() {
        refuses(Path.of("libc.so.6"));
    }

    private static void refuses(Path library) {
        assertThatThrownBy(() -> CryptoMb.load(List.of(library.toString())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("(?s)" + OLD_JAVA + "|.*" + library.getFileName() + ".*");
    }
}
