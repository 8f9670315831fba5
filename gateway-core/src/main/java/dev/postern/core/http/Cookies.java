package dev.postern.core.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The cookies of a request (RFC 6265 section 5.4): pairs between semicolons, in as many fields as the client likes. */
public final class Cookies {

    private Cookies() {}

    /** The values of the cookies of that name, at most so many. */
    public static List<String> values(RequestHead request, String name, int most) {
        List<String> found = new ArrayList<>(1);
        for (int i = request.next(FieldName.COOKIE, 0); i >= 0; i = request.next(FieldName.COOKIE, i + 1)) {
            String text = request.valueAt(i);
            if (text.contains(name)) {
                for (String pair : text.split(";", -1)) {
                    if (found.size() < most && name(pair).equals(name)) {
                        found.add(pair.substring(pair.indexOf('=') + 1).trim());
                    }
                }
            }
        }
        return found;
    }

    /**
     * Takes the cookies with such a name out; the others stay as they are.
     *
     * @param part of all those names: a field without it is left alone, and costs no more than the search
     */
    public static void remove(RequestHead request, FieldName part, Predicate<String> ours) {
        int fields = request.fields();
        for (int i = request.next(FieldName.COOKIE, 0);
                i >= 0 && i < fields;
                i = request.next(FieldName.COOKIE, i + 1)) {
            if (!request.mentions(i, part)) {
                continue;
            }
            String text = request.valueAt(i);
            List<String> others = new ArrayList<>();
            boolean any = false;
            for (String pair : text.split(";", -1)) {
                if (ours.test(name(pair))) {
                    any = true;
                } else if (!pair.isBlank()) {
                    others.add(pair.trim());
                }
            }
            if (any) {
                request.removeAt(i);
                if (!others.isEmpty()) {
                    request.add(FieldName.COOKIE, String.join("; ", others));
                }
            }
        }
    }

    private static String name(String pair) {
        int equals = pair.indexOf('=');
        return (equals < 0 ? pair : pair.substring(0, equals)).trim();
    }
}
