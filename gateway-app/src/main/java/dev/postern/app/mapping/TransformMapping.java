package dev.postern.app.mapping;

import dev.postern.app.config.HeadersConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.http.FieldName;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.transform.HeaderModification;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.route.transform.Maintenance;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.StaticResponse;
import dev.postern.core.route.transform.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the changes that a route makes to requests and responses to the types of core. */
final class TransformMapping {

    private TransformMapping() {}

    static RouteTransform of(RouteConfig route) {
        HeadersConfig request = route.headers();
        HeadersConfig.Response response = request.response();
        return new RouteTransform(
                fields(request.remove(), request.set(), request.add()),
                fields(response.remove(), response.set(), response.add()),
                route.rewrite() == null ? null : Rewrite.of(route.rewrite(), route.path()),
                route.redirect() == null ? null : route.redirect().rule(route.host()),
                maintenance(route.maintenance()),
                respond(route.respond()),
                route.upgrade(),
                route.pathForm());
    }

    private static HeaderModifications fields(List<String> remove, Map<String, String> set, Map<String, String> add) {
        return new HeaderModifications(remove.stream().map(FieldName::of).toList(), rules(set), rules(add));
    }

    private static List<HeaderModification> rules(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(e -> new HeaderModification(FieldName.of(e.getKey()), Template.of(e.getValue())))
                .toList();
    }

    private static @Nullable StaticResponse respond(RouteConfig.@Nullable Respond respond) {
        return respond == null ? null : new StaticResponse(respond.status(), respond.body(), respond.headers());
    }

    private static @Nullable Maintenance maintenance(RouteConfig.@Nullable Maintenance maintenance) {
        if (maintenance == null) {
            return null;
        }
        String file = maintenance.page();
        try {
            return new Maintenance(
                    file == null ? new byte[0] : Files.readAllBytes(Path.of(file)),
                    maintenance.retryAfter(),
                    CidrSet.of(maintenance.bypass()));
        } catch (IOException e) {
            throw new IllegalStateException("maintenance.page: " + file + " (expected: a file that can be read)", e);
        }
    }
}
