package dev.postern.core.route;

import dev.postern.core.http.CookiePairs;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of a route on requests, beside its host and path; all must hold.
 *
 * @param methods one of these, where GET includes HEAD; empty for all
 * @param headers fields and their values
 * @param query parameters of the query and their values, decoded
 * @param cookies cookies and their values
 */
public record RouteConditions(List<Method> methods, List<Header> headers, List<Pair> query, List<Pair> cookies) {

    private static final RouteConditions NONE = new RouteConditions(List.of(), List.of(), List.of(), List.of());

    /** The order of precedence of Gateway API (HTTPRouteRule), with cookies last. */
    private static final Comparator<RouteConditions> ORDER = Comparator.comparing(
                    (RouteConditions conditions) -> conditions.methods.isEmpty())
            .thenComparing(conditions -> conditions.headers.size(), Comparator.reverseOrder())
            .thenComparing(conditions -> conditions.query.size(), Comparator.reverseOrder())
            .thenComparing(conditions -> conditions.cookies.size(), Comparator.reverseOrder());

    /** Value of a condition that any value fulfils. */
    private static final String ANY = "*";

    public RouteConditions {
        methods = List.copyOf(methods);
        headers = List.copyOf(headers);
        query = List.copyOf(query);
        cookies = List.copyOf(cookies);
    }

    /** Whether a request fulfils conditions. */
    enum Fit {
        NO,
        YES,
        /** A field, parameter or cookie occurs with several values, of which an upstream may read another one. */
        DOUBTFUL
    }

    /** Condition on a header field. */
    public record Header(FieldName name, String value) {}

    /** Condition on a parameter or cookie. */
    public record Pair(String name, String value) {}

    /** Compares the conditions of two routes: the more specific come first. */
    public static int compare(@Nullable RouteConditions one, @Nullable RouteConditions other) {
        return ORDER.compare(one == null ? NONE : one, other == null ? NONE : other);
    }

    Fit fit(RequestHead request) {
        if (!methods.isEmpty() && !allows(request.method())) {
            return Fit.NO;
        }
        boolean doubtful = false;
        for (Header header : headers) {
            Tally tally = new Tally(header.value());
            for (int i = request.next(header.name(), 0); i >= 0; i = request.next(header.name(), i + 1)) {
                tally.add(request.valueAt(i));
            }
            if (tally.fit() == Fit.NO) {
                return Fit.NO;
            }
            doubtful |= tally.fit() == Fit.DOUBTFUL;
        }
        for (Pair parameter : query) {
            Fit fit = parameter(request, parameter);
            if (fit == Fit.NO) {
                return Fit.NO;
            }
            doubtful |= fit == Fit.DOUBTFUL;
        }
        for (Pair cookie : cookies) {
            Fit fit = cookie(request, cookie);
            if (fit == Fit.NO) {
                return Fit.NO;
            }
            doubtful |= fit == Fit.DOUBTFUL;
        }
        return doubtful ? Fit.DOUBTFUL : Fit.YES;
    }

    private boolean allows(Method method) {
        return methods.contains(method) || method.equals(Method.HEAD) && methods.contains(Method.GET);
    }

    private static Fit parameter(RequestHead request, Pair wanted) {
        Tally tally = new Tally(wanted.value());
        request.parameters().values(wanted.name()).forEach(tally::add);
        return tally.fit();
    }

    private static Fit cookie(RequestHead request, Pair wanted) {
        Tally tally = new Tally(wanted.value());
        CookiePairs.read(request, wanted.name(), (name, value) -> {
            if (name.equals(wanted.name())) {
                tally.add(value);
            }
            return true;
        });
        return tally.fit();
    }

    /** Counts of equal and other values under one name. */
    private static final class Tally {

        private final String wanted;
        private int equal;
        private int others;

        Tally(String wanted) {
            this.wanted = wanted;
        }

        void add(String value) {
            if (wanted.equals(ANY) || wanted.equals(value)) {
                equal++;
            } else {
                others++;
            }
        }

        Fit fit() {
            if (equal == 0) {
                return Fit.NO;
            }
            return others == 0 ? Fit.YES : Fit.DOUBTFUL;
        }
    }
}
