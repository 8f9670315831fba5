package dev.postern.app.mapping;

import dev.postern.app.config.HeadersConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.http.FieldName;
import dev.postern.core.route.transform.FieldRule;
import dev.postern.core.route.transform.FieldRules;
import dev.postern.core.route.transform.Maintenance;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.Template;
import dev.postern.core.route.transform.Treatment;
import dev.postern.core.route.transform.Upgrades;
import dev.postern.core.transport.Cidrs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a route of the configuration changes of requests and answers, in the words of core. */
final class TreatmentMapping {

    private final Path base;

    /** @param base the directory that relative file names start from */
    TreatmentMapping(Path base) {
        this.base = base;
    }

    Treatment of(RouteConfig route) {
        HeadersConfig request = route.headers();
        HeadersConfig.Response response = request.response();
        RouteConfig.Upgrade upgrade = route.upgrade();
        return new Treatment(
                fields(request.remove(), request.set(), request.add()),
                fields(response.remove(), response.set(), response.add()),
                route.rewrite() == null ? null : Rewrite.of(route.rewrite(), route.path()),
                route.redirect() == null ? null : route.redirect().rule(route.host()),
                maintenance(route.maintenance()),
                new Upgrades(
                        upgrade.protocols(),
                        upgrade.idle().duration(),
                        upgrade.maxLifetime().duration()));
    }

    private static FieldRules fields(List<String> remove, Map<String, String> set, Map<String, String> add) {
        return new FieldRules(remove.stream().map(FieldName::of).toList(), rules(set), rules(add));
    }

    private static List<FieldRule> rules(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(e -> new FieldRule(FieldName.of(e.getKey()), Template.of(e.getValue())))
                .toList();
    }

    private @Nullable Maintenance maintenance(RouteConfig.@Nullable Maintenance maintenance) {
        if (maintenance == null) {
            return null;
        }
        String file = maintenance.page();
        try {
            return new Maintenance(
                    file == null ? new byte[0] : Files.readAllBytes(base.resolve(file)),
                    maintenance.retryAfter().duration(),
                    Cidrs.of(maintenance.bypass()));
        } catch (IOException e) {
            throw new IllegalStateException("maintenance.page: " + file + " (expected: a file that can be read)", e);
        }
    }
}
