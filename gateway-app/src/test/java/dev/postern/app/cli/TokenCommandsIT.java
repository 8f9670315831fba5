package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.demo.Demo;
import dev.postern.app.demo.DemoPorts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands that connect to a running gateway. */
class TokenCommandsIT {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Demo demo;
    private String web = "";
    private String wayOut = "";
    private String site = "";
    private String echo = "";
    private String admin = "";

    @BeforeEach
    void start() throws IOException {
        demo = Demo.start(Demo.Wish.once(DemoPorts.any()));
        String instructions = String.join("\n", demo.whatToTry());
        web = find(instructions, "the site at (http://[0-9.:]+)/");
        wayOut = find(instructions, "forward proxy at ([0-9.:]+),");
        site = find(instructions, "--proxy [0-9.:]+ (http://[0-9.:]+)/\n");
        echo = find(instructions, "--udp ([0-9.:]+)");
        admin = find(instructions, "context --admin ([0-9.:]+)");
    }

    @AfterEach
    void close() {
        demo.close();
    }

    private static String find(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
        return matcher.group(1);
    }

    private int run(String... args) {
        return PosternCommand.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    /** Runs a command; a failure shows what it printed. */
    private void succeed(String... args) {
        assertThat(run(args)).as("%s%s", out, err).isZero();
    }

    @Test
    void fetchesPageForToken() {
        succeed("fetch", "-v", web + "/");
        assertThat(out.toString()).startsWith("Hello from the site.");
        assertThat(err.toString()).contains("* 401, challenge of issuer", "* token blinded", "* status 200");
    }

    @Test
    void fetchesThroughTunnel() {
        succeed("fetch", "-v", "--proxy", wayOut, site + "/");
        assertThat(out.toString()).startsWith("Hello from the site.");
        assertThat(run("fetch", "--proxy", wayOut, "http://127.0.0.1:25/")).isEqualTo(1);
    }

    @Test
    void sendsLinesAsDatagramsThroughAUdpTunnel() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("one\ntwo\n".getBytes(UTF_8)));
        try {
            succeed("fetch", "-v", "--proxy", wayOut, "--udp", echo);
        } finally {
            System.setIn(before);
        }
        assertThat(out.toString()).containsSubsequence("one", "two");
        assertThat(err.toString()).contains("* tunnel: 407", "* token blinded", "* tunnel: 101");

        assertThat(run("fetch", "--proxy", wayOut, "--udp", "127.0.0.1:53")).isEqualTo(1);
    }

    @Test
    void mintsTokensThatAreEachValidOnce() throws IOException {
        Path file = directory.resolve("tokens.txt");

        succeed("mint", web + "/", "-n", "5", "-o", file.toString());

        List<String> tokens = Files.readAllLines(file);
        assertThat(new HashSet<>(tokens)).hasSize(5);
        assertThat(err.toString()).contains("5 tokens in", "good for");
        for (String token : tokens) {
            succeed("fetch", "--token", token, web + "/");
            assertThat(run("fetch", "--token", token, web + "/")).isEqualTo(1);
        }
    }

    @Test
    void readsTheStateOfARunningGateway() throws IOException {
        succeed("probe", "--admin", admin);
        succeed("probe", "--live", "--admin", admin);
        assertThat(out.toString()).contains("ready", "live");
    }

    @Test
    void comparesContextWithBaseline() throws IOException {
        succeed("context", "--json", "--admin", admin);
        Path baseline = Files.writeString(directory.resolve("baseline.json"), out.toString());

        assertThat(run("context", "--baseline", baseline.toString(), "--admin", admin))
                .isZero();
        Files.writeString(
                baseline,
                out.toString()
                        .replaceAll("\"found\" : \"(epoll|nio)\"", "\"found\" : \"smoke\"")
                        .replaceAll("(?s)no drift.*", ""));
        assertThat(run("context", "--baseline", baseline.toString(), "--admin", admin))
                .isEqualTo(1);
        assertThat(out.toString()).contains("wanted: smoke. ", "1 drifted");
    }
}
