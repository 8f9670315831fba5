package dev.postern.app.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.net.AddressRule;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests lists of address ranges in files. */
class AddressFilesTest {

    @TempDir
    private Path folder;

    private String file(String content) throws IOException {
        return "@" + Files.writeString(folder.resolve("list.txt"), content);
    }

    private static AddressRule rule(List<String> allow, List<String> deny) {
        return Objects.requireNonNull(AddressFiles.rule(allow, deny));
    }

    private static boolean denies(AddressRule rule, String client) throws IOException {
        return rule.denies(InetAddress.getByName(client));
    }

    @Test
    void aLineIsARangeOrAComment() throws IOException {
        String list = file("# from the office\r\n\n 192.0.2.0/25 \n2001:db8::/32 ; SBL1\n198.51.100.1# one\n");
        AddressRule rule = rule(List.of(), List.of("203.0.113.0/24", list));
        for (String denied : List.of("192.0.2.1", "2001:db8::1", "198.51.100.1", "203.0.113.1")) {
            assertThat(denies(rule, denied)).as(denied).isTrue();
        }
        assertThat(denies(rule, "192.0.2.128")).isFalse();
    }

    @Test
    void withoutListsThereIsNoRule() {
        assertThat(AddressFiles.rule(List.of(), List.of())).isNull();
    }

    /** An allow list that was emptied by mistake must not open the gateway. */
    @Test
    void anEmptyFileAllowsNoClient() throws IOException {
        assertThat(denies(rule(List.of(file("# none\n")), List.of()), "192.0.2.1"))
                .isTrue();
    }

    @Test
    void findsOneOfAHundredThousandRanges() throws IOException {
        String content = IntStream.range(0, 100_000)
                .mapToObj(i -> (i % 200 + 10) + "." + i / 200 % 256 + "." + i / 51_200 * 16 + ".0/28\n")
                .collect(Collectors.joining());
        AddressRule rule = rule(List.of(), List.of(file(content)));
        assertThat(denies(rule, "109.7.0.15")).isTrue();
        assertThat(denies(rule, "109.7.0.16")).isFalse();
        assertThat(denies(rule, "9.7.0.15")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1\\n#\\n192.0.2.0/33 | :3: 192.0.2.0/33",
                "some.example | :1: some.example",
                "192.0.2.1, 192.0.2.2 | :1: 192.0.2.1, 192.0.2.2",
            })
    void namesFileAndLine(String content, String expected) throws IOException {
        String list = file(content.replace("\\n", "\n"));
        assertThatThrownBy(() -> AddressFiles.rule(List.of(list), List.of()))
                .hasMessage(
                        list.substring(1) + expected + " (expected: an address range such as 10.0.0.0/8 or fd00::/8)");
    }

    @Test
    void namesAFileThatIsNoList() throws IOException {
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 0});
        assertThatThrownBy(() -> AddressFiles.read(binary)).hasMessage(binary + ": not UTF-8 (expected: text)");
        Path absent = folder.resolve("absent");
        assertThatThrownBy(() -> AddressFiles.read(absent)).hasMessage(absent + " (expected: a file that can be read)");
    }
}
