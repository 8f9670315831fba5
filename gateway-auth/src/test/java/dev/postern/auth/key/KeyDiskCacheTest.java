package dev.postern.auth.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which keys of an issuer are kept on disk, and which of a file are used. */
class KeyDiskCacheTest {

    private static final Instant FROM = Instant.parse("2026-11-20T12:00:00Z");
    private static final RsaKey KEY = TokenMint.shared().key();
    private static final IssuerSettings ISSUER =
            TestSettings.issuer("issuer.example:8443", URI.create("https://issuer.example/keys"));

    @TempDir
    Path folder;

    private static AcceptedKey accepted(Instant until) {
        return new AcceptedKey(KEY, ISSUER.name(), FROM, until);
    }

    private Path file() {
        return folder.resolve("keys").resolve("issuer.example%3A8443.json");
    }

    private KeyDiskCache cache() {
        return new KeyDiskCache(folder.resolve("keys"));
    }

    private void write(String text) throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), text);
    }

    private static String entry() {
        return "{\"type\":2,\"key\":\"" + Base64Url.encode(KEY.encoded()) + "\",\"from\":1}";
    }

    @Test
    void keepsKeysForTheNextStart() {
        cache().keep(ISSUER, List.of(accepted(Instant.MAX), accepted(FROM.plusSeconds(60))));
        List<AcceptedKey> loaded = cache().load(ISSUER);
        assertThat(loaded).extracting(AcceptedKey::from).containsExactly(FROM, FROM);
        assertThat(loaded).extracting(AcceptedKey::until).containsExactly(Instant.MAX, FROM.plusSeconds(60));
        assertThat(loaded).allMatch(key -> key.key().id().equals(KEY.id()));
        assertThat(loaded).extracting(AcceptedKey::issuer).containsOnly("issuer.example:8443");
    }

    @Test
    void writesOnlyKeysThatDiffer() throws IOException {
        KeyDiskCache cache = cache();
        cache.keep(ISSUER, List.of(accepted(Instant.MAX)));
        Files.delete(file());
        cache.keep(ISSUER, List.of(accepted(Instant.MAX)));
        assertThat(file()).doesNotExist();
        cache.keep(ISSUER, List.of());
        assertThat(file()).content().isEqualTo("{\"keys\":[]}");
    }

    @Test
    void withoutAFolderNothingIsKept() {
        KeyDiskCache cache = new KeyDiskCache(null);
        cache.keep(ISSUER, List.of(accepted(Instant.MAX)));
        assertThat(cache.load(ISSUER)).isEmpty();
    }

    @Test
    void anIssuerWithoutAFileHasNoKeys() {
        assertThat(cache().load(ISSUER)).isEmpty();
    }

    @Test
    void aFolderThatCannotBeWrittenKeepsNothing() throws IOException {
        Files.writeString(folder.resolve("keys"), "a file");
        cache().keep(ISSUER, List.of(accepted(Instant.MAX)));
        assertThat(cache().load(ISSUER)).isEmpty();
        assertThat(folder.resolve("keys")).content().isEqualTo("a file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "{\"keys\":", "[]", "{\"keys\":{}}"})
    void aFileOfAnotherFormHasNoKeys(String text) throws IOException {
        write(text);
        assertThat(cache().load(ISSUER)).isEmpty();
    }

    @Test
    void aFileThatIsTooLargeIsNotRead() throws IOException {
        write("{\"keys\":[" + entry() + "]}" + " ".repeat(1024 * 1024));
        assertThat(cache().load(ISSUER)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":2,\"key\":\"AAAA\"}",
                "{\"type\":2}",
                "{\"type\":9}",
                "{}",
                "7",
                "{\"type\":\"two\",\"key\":\"AAAA\"}"
            })
    void anEntryThatIsNoKeyIsSkipped(String wrong) throws IOException {
        write("{\"keys\":[" + wrong + "," + entry() + "]}");
        assertThat(cache().load(ISSUER))
                .singleElement()
                .satisfies(key -> assertThat(key.key().id()).isEqualTo(KEY.id()));
    }

    @Test
    void anEntryWithAnImpossibleTimeIsSkipped() throws IOException {
        write("{\"keys\":[" + entry().replace("\"from\":1", "\"from\":" + Long.MAX_VALUE) + "]}");
        assertThat(cache().load(ISSUER)).isEmpty();
    }

    @Test
    void pinsApplyToKeysOnDisk() throws IOException {
        write("{\"keys\":[" + entry() + "]}");
        IssuerSettings pinned = TestSettings.restricted(ISSUER, List.of(KEY.id().toString()), List.of());
        assertThat(cache().load(pinned)).hasSize(1);
        IssuerSettings other = TestSettings.restricted(ISSUER, List.of("0".repeat(64)), List.of());
        assertThat(cache().load(other)).isEmpty();
    }
}
