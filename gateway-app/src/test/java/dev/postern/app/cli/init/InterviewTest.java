package dev.postern.app.cli.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.cli.option.WrongArgument;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterviewTest {

    private static final Site DEFAULT_SITE = new Site("127.0.0.1:9000", false);

    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    private Answers answers(Interview.Options options, String... lines) throws IOException {
        String typed = String.join("\n", lines) + "\n";
        return new Interview(
                        options, new Questions(new BufferedReader(new StringReader(typed)), new PrintWriter(out, true)))
                .answers();
    }

    private static Interview.Options given(
            @Nullable String upstream, @Nullable String host, @Nullable String room, @Nullable String issuer) {
        return new Interview.Options(upstream, host, null, null, room, issuer);
    }

    @Test
    void asksThreeQuestionsWithAnAnswerForEachEmptyLine() throws IOException {
        assertThat(answers(given(null, null, null, null), "", "", "", "", ""))
                .isEqualTo(new Answers(DEFAULT_SITE, "localhost", null, 500, null));
        assertThat(out.toString()).contains("[127.0.0.1:9000]: ", "[localhost]: ", "[500]: ");
    }

    @Test
    void takesTheAnswersOfAPerson() throws IOException {
        String chain = Files.createFile(folder.resolve("site.crt")).toString();
        String key = Files.createFile(folder.resolve("site.key")).toString();

        assertThat(answers(
                        given(null, null, null, null),
                        " https://shop.internal ",
                        "Shop.Example",
                        chain,
                        key,
                        "0",
                        "issuer.example"))
                .isEqualTo(new Answers(
                        new Site("shop.internal:443", true),
                        "shop.example",
                        new Answers.Certificate(Path.of(chain), Path.of(key)),
                        0,
                        "issuer.example"));
    }

    @Test
    void asksAgainWhatCannotBeUsed() throws IOException {
        assertThat(answers(
                        given(null, "shop.example", null, null),
                        "shop",
                        "127.0.0.1:80",
                        "-1",
                        "0",
                        "",
                        "a b",
                        "issuer.example"))
                .isEqualTo(new Answers(new Site("127.0.0.1:80", false), "shop.example", null, 0, "issuer.example"));
        assertThat(out.toString())
                .contains(
                        "shop (expected: the address of the site: ",
                        "-1 (expected: 0..1000000)",
                        "a b (expected: the host name");
    }

    @Test
    void asksOnlyWhatNoOptionAnswers() throws IOException {
        assertThat(answers(given("127.0.0.1:9000", "shop.example", "7", null)))
                .isEqualTo(new Answers(DEFAULT_SITE, "shop.example", null, 7, null));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void endsWithItsInput() {
        assertThatThrownBy(() -> answers(given(null, null, null, null), "127.0.0.1:9000"))
                .isInstanceOf(WrongArgument.class)
                .hasMessageContaining("standard input: ended (expected: ");
    }

    @Test
    void readsUrlsOfSites() {
        assertThat(Site.of("http://a.example")).isEqualTo(new Site("a.example:80", false));
        assertThat(Site.of("https://a.example:8443/")).isEqualTo(new Site("a.example:8443", true));
        assertThat(Site.of("[2001:db8::1]:80")).isEqualTo(new Site("[2001:db8::1]:80", false));
        assertThat(Site.of("unix:/run/app.sock")).isEqualTo(new Site("unix:/run/app.sock", false));
    }
}
