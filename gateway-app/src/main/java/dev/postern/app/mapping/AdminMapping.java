package dev.postern.app.mapping;

import dev.postern.app.admin.AdminToken;
import dev.postern.app.config.AdminConfig;
import dev.postern.core.config.Kebab;
import dev.postern.core.http.Protocol;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to the settings of the admin address, and reads its tokens and certificates. */
public final class AdminMapping {

    private static final String TOKEN_FILE = "token-file";
    private static final Duration HANDSHAKE = Duration.ofSeconds(3);

    private AdminMapping() {}

    /** Returns the tokens. Throws {@link IllegalStateException} when one can't be read. */
    public static List<AdminToken> tokens(AdminConfig admin) {
        List<AdminToken> tokens = new ArrayList<>();
        String file = admin.tokenFile();
        if (file != null) {
            tokens.add(read("admin.token-file", TOKEN_FILE, AdminToken.Rights.CHANGE, file));
        }
        for (AdminConfig.NamedToken token : admin.tokens()) {
            tokens.add(read("admin.tokens." + token.name() + ".file", token.name(), token.rights(), token.file()));
        }
        return tokens;
    }

    private static AdminToken read(String key, String name, AdminToken.Rights rights, String file) {
        try {
            return AdminToken.read(name, rights, Path.of(file));
        } catch (IOException e) {
            throw new IllegalStateException(key + ": " + file + " (expected: a file that can be read)", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(key + ": " + file + ": " + e.getMessage(), e);
        }
    }

    /** Returns the TLS of the address, or null. Throws {@link IllegalStateException} when a file can't be used. */
    public static @Nullable ServerTls tls(AdminConfig admin, TlsEnvironment environment) {
        ServerTls.Settings tls = admin.tls();
        try {
            return tls == null ? null : new ServerTls(environment, tls, List.of(Protocol.H1.alpn()), HANDSHAKE);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("admin.tls: " + e.getMessage(), e);
        }
    }

    /** Returns the names of the parts that readiness depends on. */
    public static Set<String> required(AdminConfig admin) {
        return admin.readyRequires().stream().map(Kebab::ofConstant).collect(Collectors.toSet());
    }
}
