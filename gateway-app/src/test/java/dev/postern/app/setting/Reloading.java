package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.reload.Change;
import dev.postern.app.reload.Reloaded;
import dev.postern.app.reload.Reloaded.Result;
import java.util.List;

/** What tests of reloads share. */
final class Reloading {

    private Reloading() {}

    /** The keys that changed; all of it must be in force. */
    static List<String> applied(Reloaded reloaded) {
        assertThat(reloaded.problems()).isEmpty();
        assertThat(reloaded.result()).isEqualTo(Result.OK);
        return reloaded.changes().stream().map(Change::toString).toList();
    }
}
