package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.reload.Change;
import dev.postern.app.reload.Reloaded;
import dev.postern.app.reload.Reloaded.Result;
import java.util.List;

/** What tests of reloads ask again and again. */
final class Reloading {

    private Reloading() {}

    /** The keys that changed; all of it must be in force. */
    static List<String> applied(Reloaded reloaded) {
        assertThat(reloaded.problems()).isEmpty();
        assertThat(reloaded.result()).isEqualTo(Result.OK);
        return reloaded.changes().stream().map(Change::toString).toList();
    }

    /** What the meter of that line shows, or -1 when there is none. */
    static int meter(Site site, String line) {
        return site.admin("/metrics")
                .body()
                .lines()
                .filter(l -> l.startsWith(line))
                .findFirst()
                .map(l -> (int) Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1)))
                .orElse(-1);
    }
}
