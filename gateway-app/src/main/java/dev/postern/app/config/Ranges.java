package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.core.route.Cidrs;
import java.util.List;

/** Checks lists of address ranges entry by entry. */
final class Ranges {

    private Ranges() {}

    static void check(Checks checks, String key, List<String> ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            checks.that(
                    valid(ranges.get(i)),
                    key + "." + i,
                    ranges.get(i),
                    "an address range such as 10.0.0.0/8 or fd00::/8");
        }
    }

    static boolean valid(String range) {
        try {
            Cidrs.of(List.of(range));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
