package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.core.config.FileKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.support.ReflectionSupport;

/** Tests that the file of each key is checked as its kind says. */
class KeyFilesTest {

    @TempDir
    private static Path folder;

    private static CompleteConfiguration complete;

    @BeforeAll
    static void files() throws IOException {
        complete = CompleteConfiguration.in(folder);
        file("common", "rw-r-----");
        file("exposed", "rw-r--r--");
        file("open", "rw-rw-rw-");
    }

    private static void file(String name, String modes) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "content\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(modes));
    }

    /** Key of a file; in a list its first element. */
    record FileKey(String key, FileKind kind) {}

    private static Stream<FileKey> keys(ConfigSchema schema, String path, FileKind kind) {
        return switch (schema.kind()) {
            case RECORD ->
                schema.fields().stream()
                        .flatMap(field -> keys(
                                field.schema(),
                                path.isEmpty() ? field.key() : path + "." + field.key(),
                                field.about().file()));
            case LIST -> keys(schema.element(), path + ".0", kind);
            case MAP ->
                keys(schema.element(), path + (path.endsWith(".error-pages") ? ".overloaded" : ".default"), kind);
            case LEAF -> Stream.of(new FileKey(path, kind));
        };
    }

    private static Stream<FileKey> keys() {
        return keys(ConfigSchema.of(GatewayConfig.class), "", FileKind.NONE);
    }

    static Stream<String> files(FileKind... kinds) {
        return keys().filter(key -> List.of(kinds).contains(key.kind())).map(FileKey::key);
    }

    static Stream<String> readable() {
        return files(FileKind.READABLE, FileKind.SECRET);
    }

    static Stream<String> secret() {
        return files(FileKind.SECRET);
    }

    static Stream<String> folders() {
        return files(FileKind.FOLDER);
    }

    @Test
    void everyKeyOfAFileHasAKind() {
        assertThat(keys().filter(key -> key.key().matches(".*-files?(\\.0)?")))
                .isNotEmpty()
                .noneMatch(key -> key.kind() == FileKind.NONE);
        assertThat(secret()).contains("secrets.ring-file", "listeners.0.tls.certificates.0.private-key-file");
        assertThat(folders()).containsExactly("privacy-pass.key-cache", "privacy-pass.ledger.embedded.journal");
    }

    static Stream<String> all() {
        return files(FileKind.READABLE, FileKind.SECRET, FileKind.FOLDER, FileKind.PATH);
    }

    @ParameterizedTest
    @MethodSource("all")
    void aNameIsRelativeToTheFolderOfTheConfiguration(String key) {
        assertThat(value(with(key, "some/file").config(), key)).isEqualTo(folder + "/some/file");
        assertThat(value(with(key, "/some/file").config(), key)).isEqualTo("/some/file");
    }

    static Stream<String> marked() {
        return files(FileKind.AT);
    }

    @ParameterizedTest
    @MethodSource("marked")
    void onlyAMarkedValueNamesAFile(String key) {
        assertThat(value(with(key, "\"@some/file\"").config(), key)).isEqualTo("@" + folder + "/some/file");
        assertThat(value(with(key, "192.0.2.0/24").config(), key)).isEqualTo("192.0.2.0/24");
        assertThat(problems(key, "\"@nowhere\""))
                .anyMatch(problem -> problem.endsWith(key + ": nowhere (expected: a file that can be read)"));
        assertThat(problems(key, "\"@common\""))
                .anyMatch(problem -> problem.endsWith(
                        folder + "/common:1: content (expected: an address range such as 10.0.0.0/8 or fd00::/8)"));
    }

    @Test
    void effectiveValuesShowNamesAsTheOperatorWroteThem() {
        assertThat(with("admin.baseline-file", "common").effective())
                .filteredOn(one -> one.key().equals("admin.baseline-file"))
                .singleElement()
                .extracting(LoadedConfig.Effective::value)
                .isEqualTo("common");
    }

    /** Returns the value that a configuration has at a dotted key. */
    private static String value(Object config, String key) {
        Object value = config;
        for (String word : key.split("\\.")) {
            Object section = value;
            value = section instanceof List<?> list
                    ? list.get(Integer.parseInt(word))
                    : section instanceof Map<?, ?> map
                            ? Objects.requireNonNull(map.get(word))
                            : component(section, word);
        }
        return String.valueOf(value);
    }

    private static Object component(Object section, String word) {
        return Arrays.stream(section.getClass().getRecordComponents())
                .filter(component -> ConfigSchema.key(component).equals(word))
                .map(component -> ReflectionSupport.invokeMethod(component.getAccessor(), section))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> problems(String key, String value) {
        return texts(with(key, value).problems());
    }

    /** Certificate and key are only complete together. */
    private static LoadedConfig with(String key, String value) {
        String certificate = "certificate-file";
        String pair = "private-key-file";
        if (key.endsWith("." + certificate)) {
            return complete.with(Map.of(key, value, key.replace(certificate, pair), "it.key"));
        }
        return key.endsWith("." + pair)
                ? complete.with(Map.of(key, value, key.replace(pair, certificate), "it.crt"))
                : complete.with(Map.of(key, value));
    }

    private static List<String> texts(List<Problem> found) {
        return found.stream().map(Problem::toString).toList();
    }

    @ParameterizedTest
    @MethodSource("readable")
    void aFileThatCannotBeReadIsRefused(String key) {
        String expected = " (expected: a file that can be read)";
        assertThat(problems(key, "nowhere")).anyMatch(problem -> problem.endsWith(key + ": nowhere" + expected));
        assertThat(problems(key, ".")).anyMatch(problem -> problem.endsWith(key + ": ." + expected));
        assertThat(problems(key, "common")).noneMatch(problem -> problem.contains(expected));
    }

    @ParameterizedTest
    @MethodSource("secret")
    void aSecretFileThatOthersCanWriteIsRefused(String key) {
        assertThat(problems(key, "open"))
                .anyMatch(problem -> problem.contains(key + ": ") && problem.endsWith("chmod o-w)"));
    }

    @ParameterizedTest
    @MethodSource("secret")
    void aSecretFileThatOthersCanReadIsAWarning(String key) {
        assertThat(texts(with(key, "exposed").warnings()))
                .anyMatch(warning -> warning.contains(key + ": ") && warning.endsWith("chmod o-r"));
        assertThat(texts(with(key, "common").warnings()))
                .noneMatch(warning -> warning.contains(key + ": ") && warning.endsWith("chmod o-r"));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void aFileIsNoFolder(String key) {
        String expected = " (expected: a folder that can be written, or made)";
        assertThat(problems(key, "common/below"))
                .anyMatch(problem -> problem.endsWith(key + ": common/below" + expected));
        assertThat(problems(key, "new/below")).noneMatch(problem -> problem.contains(expected));
    }
}
