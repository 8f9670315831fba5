package dev.postern.core.http1;

import dev.postern.core.fuzz.StrictHost;
import dev.postern.core.fuzz.StrictPath;
import dev.postern.core.http1.DecoderDifference.What;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reasons for which the gateway reads a request differently from Netty's decoder, and no less strictly. */
enum KnownDifference {
    NORMAL_FORM(
            What.TARGET,
            "RFC 3986 6.2.2",
            "ours makes one spelling of many, Netty leaves that to its users",
            (ours, nettys) -> ours.target().equals(normal(ours, nettys.target()))),
    HOST(
            What.FIELDS,
            "RFC 9110 4.2.3",
            "ours makes one spelling of a host, Netty leaves that to its users",
            (ours, nettys) -> KnownDifference.host(
                    ours.fields(),
                    nettys.fields(),
                    host -> StrictHost.of(host.substring("host:".length()).strip()))),
    HOST_OF_CONNECT(
            What.FIELDS,
            "RFC 9112 3.2.2",
            "ours replaces Host by the target, Netty leaves that to its users",
            (ours, nettys) -> ours.method().equals("CONNECT")
                    && KnownDifference.host(ours.fields(), nettys.fields(), host -> ours.target())),
    FORBIDDEN_TRAILERS(
            What.TRAILERS,
            "RFC 9110 6.5.1",
            "ours drops all trailers that would say something about framing, routing or credentials, Netty three of them",
            (ours, nettys) -> KnownDifference.part(ours.trailers(), nettys.trailers()));

    private final What subject;
    private final String section;
    private final String reason;
    private final BiPredicate<ReadRequest, ReadRequest> rule;

    KnownDifference(What subject, String section, String reason, BiPredicate<ReadRequest, ReadRequest> rule) {
        this.subject = subject;
        this.section = section;
        this.reason = reason;
        this.rule = rule;
    }

    /** Returns the explanation of a difference, or null. */
    static @Nullable KnownDifference of(DecoderDifference difference) {
        ReadRequest ours = difference.ours();
        ReadRequest nettys = difference.nettys();
        if (ours == null || nettys == null) {
            return null;
        }
        for (KnownDifference one : values()) {
            if (one.subject == difference.what() && one.rule.test(ours, nettys)) {
                return one;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return section + ": " + reason;
    }

    private static @Nullable String normal(ReadRequest ours, String target) {
        String prefix = "";
        String rest = target;
        if (ours.method().equals("CONNECT")) {
            return StrictHost.of(target);
        }
        if (ours.target().startsWith("http") && target.contains("://")) {
            String authorityAndPath = target.substring(target.indexOf("://") + 3);
            int end = authorityAndPath.replace('?', '/').indexOf('/');
            int split = target.length() - authorityAndPath.length() + (end < 0 ? authorityAndPath.length() : end);
            int authority = target.length() - authorityAndPath.length();
            prefix = target.substring(0, authority).toLowerCase(Locale.ROOT)
                    + StrictHost.of(target.substring(authority, split));
            rest = target.substring(split);
        }
        int query = rest.indexOf('?');
        String path = query < 0 ? rest : rest.substring(0, query);
        String nothing = ours.method().equals("OPTIONS") && query < 0 ? "*" : "/";
        @Nullable String normal = path.isEmpty() ? nothing : StrictPath.of(path);
        return normal == null ? null : prefix + normal + (query < 0 ? "" : rest.substring(query));
    }

    /** Returns whether the fields are equal except Host, which the gateway moves to the end in its normal form. */
    private static boolean host(List<String> ours, List<String> theirs, Function<String, @Nullable String> expected) {
        List<String> others = theirs.stream()
                .filter(field -> !field.toLowerCase(Locale.ROOT).startsWith("host:"))
                .toList();
        List<String> hosts =
                theirs.stream().filter(field -> !others.contains(field)).toList();
        return hosts.size() == 1
                && ours.size() == theirs.size()
                && ours.subList(0, others.size()).equals(others)
                && ours.get(others.size()).equals("host: " + expected.apply(hosts.get(0)));
    }

    private static boolean part(List<String> some, List<String> all) {
        Set<String> names = new HashSet<>(all);
        return some.size() < all.size() && names.containsAll(some);
    }
}
