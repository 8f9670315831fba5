package dev.postern.app.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelFramesTest {

    @TempDir
    private Path folder;

    private boolean named(String symbols) throws IOException {
        return new KernelFrames(Files.writeString(folder.resolve("kallsyms"), symbols)).named();
    }

    @Test
    void areNamedWhenAddressesAreVisible() throws IOException {
        assertThat(named("0000000000000000 A fixed\nffffffff81000000 T _text\n"))
                .isTrue();
    }

    @Test
    void areNotNamedWhenAddressesAreHidden() throws IOException {
        assertThat(named("0000000000000000 T _text\n0000000000000000 T _stext\n"))
                .isFalse();
        assertThat(named("")).isFalse();
        assertThat(new KernelFrames(folder.resolve("none")).named()).isFalse();
    }
}
