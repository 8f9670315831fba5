package dev.postern.app.reading;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** Random spellings of protected paths and hosts, the same for the same seed. */
final class Spellings {

    private static final int MAX_CHANGES = 4;

    private static final List<String> PATHS = List.of(
            "/api/secret",
            "/api/secret",
            "/api/secret/",
            "/api",
            "/api/",
            "/public/api/secret",
            "/api/group/project/secret",
            "/public/../api/secret",
            "/public//../api/secret",
            "/api/../public/page",
            "//x/api/secret",
            "///x.example/api",
            "//api.example/public",
            "////api.example/public",
            "//api%E3%80%82example/public",
            "//public/page",
            "/public/page");

    private static final List<String> SLASHES = List.of(
            "%2F",
            "%2f",
            "%252F",
            "%25252f",
            "//",
            "///",
            "/./",
            "/%2e/",
            "/;/",
            "/;x/",
            "/;x=1/;y/",
            "/;a%2Fb/",
            "/%3Bx/",
            "/%3bx%2F",
            "\\",
            "%5C",
            "%255c",
            "/\\",
            "%2F%2F",
            "/%252e/",
            "%C0%AF",
            "%E0%80%AF",
            "%c0%2f",
            "%25C0%25AF");

    private static final List<String> INSERTED = List.of(
            "x/../",
            "x/%2e%2e/",
            "x//../",
            "x/..//",
            "/x/../",
            "x/.//../",
            "x/y//../../",
            "//../",
            "x/%2E./",
            "x/..;/",
            "x/..;v=1/",
            "x%2F..%2F",
            "x/%252e%252e/",
            "x/%252e%252e%252f",
            "x/..%2f",
            "x\\..\\",
            "x/%C0%AE%C0%AE/",
            ";/",
            ";x=y/",
            "%3B/",
            "%253bx/",
            ".;/",
            "./",
            "%2F",
            "public/..%5c",
            "x;..%2F../",
            "x/%25252e%25252e/");

    private static final List<String> ENDS = List.of(
            ";",
            ";x",
            ";jsessionid=1",
            "%3B",
            "%3Bx=1",
            "%253Bx",
            "%00",
            "%2500",
            "%00.html",
            "%0a",
            "%20",
            ".",
            "/.",
            "/..",
            "/",
            "//",
            "%2F",
            "%252F",
            "?x=/api",
            "%3F",
            "%3Fx",
            "%253F",
            "%23",
            "%2523x",
            "/;x",
            "/%2e",
            "~",
            "%7E",
            "*",
            "%",
            "%2",
            "%zz",
            "+",
            "/x%2Fy",
            "@");

    private static final List<String> OVERLONG = List.of("%C1%A1", "%E0%81%A1", "%F0%80%81%A1", "%u0061", "%25C1%25A1");

    private static final List<String> HOSTS = List.of(
            "api.example.",
            "api.example..",
            ".api.example",
            "api..example",
            "api.example.:80",
            "api.example:80",
            "api.example:080",
            "api.example.:00080",
            "api%2Eexample",
            "%61pi.example",
            "api.example%2E",
            "api.example%00",
            "api.example,x",
            "x,api.example",
            "api.example;x",
            "api.example:",
            "api.example.:",
            "api.example ",
            "api_example",
            "api.example:443",
            "a@api.example",
            "api.example\t.",
            "api.example/",
            "api.example/x",
            "api.example?x",
            "api.example#",
            "[api.example]",
            "api.example.x",
            "x.api.example",
            "*",
            "*.example",
            "api.example\\",
            "127.0.0.1",
            "[::1]",
            "[::0001]:80",
            "site.example.");

    private final Random random;

    Spellings(long seed) {
        random = new Random(seed);
    }

    /** Returns that many distinct spellings, one in five of hosts. */
    List<Spelling> of(int count) {
        Set<Spelling> all = new LinkedHashSet<>();
        while (all.size() < count) {
            boolean host = random.nextInt(5) == 0;
            all.add(new Spelling(
                    host ? host() : "site.example",
                    host && random.nextBoolean() ? "/" : path(),
                    random.nextInt(4) == 0));
        }
        return List.copyOf(all);
    }

    private String path() {
        String path = one(PATHS);
        int changes = 1 + random.nextInt(MAX_CHANGES);
        for (int i = 0; i < changes; i++) {
            path = changed(path);
        }
        return path.startsWith("/") ? path : "/" + path;
    }

    private String changed(String path) {
        return switch (random.nextInt(10)) {
            case 0, 1 -> encoded(path);
            case 2, 3 -> slashed(path);
            case 4, 5 -> inserted(path);
            case 6 -> path + one(ENDS);
            case 7 -> otherCase(path);
            case 8 -> replaced(path, 'a', one(OVERLONG));
            default -> parameters(path);
        };
    }

    /** Encodes a character as an escape, sometimes several times. */
    private String encoded(String path) {
        int offset = 1 + random.nextInt(Math.max(1, path.length() - 1));
        if (offset >= path.length() || "%?".indexOf(path.charAt(offset)) >= 0) {
            return path;
        }
        String digits = Integer.toHexString(path.charAt(offset));
        String escape = "%" + "25".repeat(random.nextInt(8) < 5 ? 0 : 1 + random.nextInt(2))
                + (random.nextBoolean() ? digits : digits.toUpperCase(Locale.ROOT));
        return path.substring(0, offset) + escape + path.substring(offset + 1);
    }

    private String slashed(String path) {
        List<Integer> slashes = new ArrayList<>();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '/') {
                slashes.add(i);
            }
        }
        int offset = one(slashes);
        String slash = one(SLASHES);
        String changed = path.substring(0, offset) + slash + path.substring(offset + 1);
        return changed.startsWith("/") ? changed : "/" + changed;
    }

    private String inserted(String path) {
        List<Integer> segments = new ArrayList<>();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '/') {
                segments.add(i + 1);
            }
        }
        int offset = one(segments);
        return path.substring(0, offset) + one(INSERTED) + path.substring(offset);
    }

    private String parameters(String path) {
        int end = path.indexOf('/', 1 + random.nextInt(Math.max(1, path.length() - 1)));
        String parameter = one(List.of(";", ";x", ";v=1", ";a=b;c=d", "%3B", "%3Bv=1", ";a%2Fb", ";%2e%2e"));
        return end < 0 ? path + parameter : path.substring(0, end) + parameter + path.substring(end);
    }

    private String otherCase(String path) {
        int offset = random.nextInt(path.length());
        char c = path.charAt(offset);
        char other = Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c);
        return path.substring(0, offset) + other + path.substring(offset + 1);
    }

    private static String replaced(String path, char letter, String replacement) {
        int offset = path.indexOf(letter);
        return offset < 0 ? path : path.substring(0, offset) + replacement + path.substring(offset + 1);
    }

    private String host() {
        String host = random.nextInt(3) == 0 ? "api.example" : one(HOSTS);
        for (int i = random.nextInt(MAX_CHANGES); i > 0; i--) {
            host = otherCase(host);
        }
        return host;
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
