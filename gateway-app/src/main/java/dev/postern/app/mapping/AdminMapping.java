package dev.postern.app.mapping;

import dev.postern.app.admin.AdminToken;
import dev.postern.app.config.AdminConfig;
import dev.postern.core.config.Kebab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to the settings of the admin address, and reads its token. */
public final class AdminMapping {

    private AdminMapping() {}

    /** Returns the token that changes need; null if changes are not allowed. Throws {@link IllegalStateException} when it can't be read. */
    public static @Nullable AdminToken token(AdminConfig admin) {
        String file = admin.tokenFile();
        try {
            return file == null ? null : AdminToken.read(Path.of(file));
        } catch (IOException e) {
            throw new IllegalStateException("admin.token-file: " + file + " (expected: a file that can be read)", e);
        }
    }

    /** Returns the names of the parts that readiness depends on. */
    public static Set<String> required(AdminConfig admin) {
        return admin.readyRequires().stream().map(Kebab::ofConstant).collect(Collectors.toSet());
    }
}
