package dev.postern.core.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reads and removes the cookies of a request (RFC 6265 section 5.4): pairs between semicolons, in any number of fields. */
public final class Cookies {

    private Cookies() {}

    /** Returns the values of the cookies with that name, {@code max} at most. */
    public static List<String> values(RequestHead request, String name, int max) {
        List<String> found = new ArrayList<>(1);
        for (int i = request.next(FieldName.COOKIE, 0); i >= 0; i = request.next(FieldName.COOKIE, i + 1)) {
            String text = request.valueAt(i);
            if (text.contains(name)) {
                for (String pair : text.split(";", -1)) {
                    if (found.size() < max && name(pair).equals(name)) {
                        found.add(pair.substring(pair.indexOf('=') + 1).trim());
                    }
                }
            }
        }
        return found;
    }

    /**
     * Removes the cookies whose name matches {@code ours}; the others stay unchanged.
     *
     * @param part a text that all those names contain: a field without this text is not parsed
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
