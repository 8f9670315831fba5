package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.HeadBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the transformations of a route. They change exactly the named fields, none for framing or routing; they produce no ambiguous path,
 * and no redirect to a host that the client chooses. An input is rules, one per line ({@code set NAME VALUE}, {@code add}, {@code remove
 * NAME}, {@code rewrite TEXT}, {@code redirect TEXT}), an empty line, and a request.
 */
public final class EditRulesFuzz {

    private static final int RULES = 20;
    private static final int LONGEST_RULE = 80;

    /** Each rule may insert the path as often as its length permits. */
    private static final int LONGEST_HEAD = HeadBytes.MAX * (1 + RULES * LONGEST_RULE / "{path}".length());

    private static final Pattern PLACE = Pattern.compile("https?://([^/?#\\\\{]*).*");

    private EditRulesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a request was changed. */
    public static boolean accepts(byte[] input) {
        String text = new String(input, java.nio.charset.StandardCharsets.ISO_8859_1);
        int border = text.indexOf("\n\n");
        RequestHead head = border < 0 ? null : HeadBytes.read(text.substring(border + 2));
        if (head == null || head.method().equals(Method.CONNECT) || head.path().equals("*")) {
            return false;
        }
        Exchange exchange = TestExchanges.exchange(TestExchanges.UNTRUSTED, head, List.of());
        Rules rules = new Rules();
        for (String line : text.substring(0, border).split("\n", RULES)) {
            if (line.length() <= LONGEST_RULE) {
                rule(line, rules, exchange);
            }
        }
        HopByHop.strip(head);
        if (!head.has(FieldName.HOST)) {
            head.add(FieldName.HOST, "app");
        }
        ForwardedFields.reverse(exchange.client(), head, new Via("postern"));
        fields(rules, head, exchange);
        boolean rewritten = rewritten(rules, head);
        String written = HeadBytes.written(head, LONGEST_HEAD);
        return rewritten && !rules.named.isEmpty() && !written.isEmpty();
    }

    /** Rules of the input. */
    private static final class Rules {

        private final List<FieldName> remove = new ArrayList<>();
        private final List<HeaderModification> set = new ArrayList<>();
        private final List<HeaderModification> add = new ArrayList<>();
        private final List<String> named = new ArrayList<>();
        private @Nullable Rewrite rewrite;
    }

    private static void rule(String line, Rules rules, Exchange exchange) {
        String[] words = line.split(" ", 3);
        try {
            switch (words[0]) {
                case "remove", "set", "add" -> field(words, rules);
                case "rewrite" ->
                    rules.rewrite =
                            Rewrite.of(line.substring("rewrite".length()).trim(), "/");
                case "redirect" -> redirect(line.substring("redirect".length()).trim(), exchange);
                default -> {}
            }
        } catch (IllegalArgumentException e) {
            FuzzCheck.hold(
                    String.valueOf(e.getMessage()).contains("(expected: "), "a reason that says what is expected");
        }
    }

    private static void field(String[] words, Rules rules) {
        if (words.length < 2 || !HeaderModifications.touchable(words[1])) {
            return;
        }
        FieldName name = FieldName.of(words[1]);
        if (words[0].equals("remove")) {
            rules.remove.add(name);
        } else {
            HeaderModification modification =
                    new HeaderModification(name, Template.of(words.length > 2 ? words[2].trim() : ""));
            (words[0].equals("set") ? rules.set : rules.add).add(modification);
        }
        rules.named.add(name.toString());
    }

    private static void fields(Rules rules, RequestHead head, Exchange exchange) {
        long length = head.bodyLength();
        List<String> others = without(rules.named, HeadBytes.fields(head));
        new HeaderModifications(rules.remove, rules.set, rules.add).apply(head, exchange);
        FuzzCheck.equal(without(rules.named, HeadBytes.fields(head)), others, "fields that no rule names");
        FuzzCheck.equal(head.bodyLength(), length, "the length of the body");
        for (HeaderModification modification : rules.set) {
            FuzzCheck.equal(
                    head.occurrences(modification.name()),
                    1 + count(rules.add, modification.name()),
                    "one in place of all");
        }
        for (FieldName name : rules.remove) {
            boolean repeated = count(rules.set, name) + count(rules.add, name) > 0;
            FuzzCheck.equal(head.has(name), repeated, "gone unless it was put in again");
        }
    }

    private static int count(List<HeaderModification> rules, FieldName name) {
        return (int) rules.stream()
                .filter(modification -> modification.name().equals(name))
                .count();
    }

    private static List<String> without(List<String> names, List<String> fields) {
        return fields.stream()
                .filter(field ->
                        !names.contains(field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** Rewrites the path as the proxy does; returns false when the exchange would be refused. */
    private static boolean rewritten(Rules rules, RequestHead head) {
        Rewrite rewrite = rules.rewrite;
        if (rewrite == null) {
            return true;
        }
        @Nullable String path = rewrite.apply(head.path());
        if (path != null) {
            head.rewrite(path);
            String line = head.method() + " " + path + head.query() + " HTTP/1.1\r\n";
            FuzzCheck.hold(HeadBytes.written(head, LONGEST_HEAD).startsWith(line), "the path as it was rewritten");
        }
        return path != null;
    }

    private static void redirect(String target, Exchange exchange) {
        Redirect redirect = Redirect.of(target, 308, "site.example");
        @Nullable LocalReply reply = redirect.reply(exchange);
        if (reply == null) {
            return;
        }
        String location = reply.fields().get(0).value();
        FuzzCheck.hold(location.chars().allMatch(c -> c > ' ' && c != 0x7f), "a place without blanks and controls");
        Matcher meant = PLACE.matcher(target);
        if (target.startsWith("/") || target.startsWith("{path}")) {
            FuzzCheck.hold(location.matches("/([^/\\\\].*)?"), "a path here, and no other host: " + location);
        } else if (meant.matches() && !target.contains("{host}")) {
            Matcher found = PLACE.matcher(location);
            FuzzCheck.hold(
                    found.matches() && found.group(1).equals(meant.group(1)), "the host that was meant: " + location);
        }
    }
}
