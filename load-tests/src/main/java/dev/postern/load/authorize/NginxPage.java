package dev.postern.load.authorize;

import dev.postern.load.measure.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Configuration of nginx on the page {@code docs/authorize.md}, for clients without TLS: the sections inside of its {@code http}, without
 * the settings of logs and certificates. Each change fails where the page has no such text.
 */
record NginxPage(String sections) {
    private static final Path PAGE = Path.of("docs", "authorize.md");
    private static final Pattern FILE =
            Pattern.compile("(?ms)^```nginx nginx/nginx\\.conf$.*?^http \\{\n(.*?)^}\n+```$");
    private static final Pattern ELSEWHERE = Pattern.compile("\\s*(access_log|log_format|ssl_\\w+|listen .* ssl\\b).*");
    private static final String QUESTION = "auth_request /_postern/question;";

    static NginxPage read() {
        return of(Unchecked.get(() -> Files.readString(PAGE)));
    }

    static NginxPage of(String page) {
        Matcher file = FILE.matcher(page);
        if (!file.find()) {
            throw new IllegalStateException(PAGE + ": no block nginx/nginx.conf with http (expected: one)");
        }
        return new NginxPage(file.group(1)
                .lines()
                .filter(line -> !ELSEWHERE.matcher(line).matches())
                .collect(Collectors.joining("\n", "", "\n")));
    }

    /** Returns the same configuration with the ports of nginx, of the server that it asks, and of the site. */
    NginxPage with(int port, int asked, int site) {
        return replace("127.0.0.1:8080", "127.0.0.1:" + port)
                .replace("127.0.0.1:9190", "127.0.0.1:" + asked)
                .replace("127.0.0.1:9000", "127.0.0.1:" + site);
    }

    /** Returns a proxy that asks at this path of the server. */
    NginxPage asking(String path) {
        return replace("proxy_pass http://postern/question;", "proxy_pass http://postern" + path + ";");
    }

    /** Returns a proxy that answers its questions by itself: each request may pass. */
    NginxPage allowing() {
        return replace("proxy_pass http://postern/question;", "return 200;");
    }

    /** Returns a proxy that asks nothing. */
    NginxPage silent() {
        return replace(QUESTION, "");
    }

    private NginxPage replace(String text, String other) {
        if (!sections.contains(text)) {
            throw new IllegalStateException(PAGE + ", nginx/nginx.conf: no " + text + " (expected: such a line)");
        }
        return new NginxPage(sections.replace(text, other));
    }
}
