package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.route.Route;
import dev.postern.core.tls.ServerTls;
import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Warns of names that do not fit the hosts of the routes: DNS names of certificates, and origin names in challenges. */
final class SiteNameChecks {

    private final GatewayConfig config;
    private final Findings findings;
    private final List<RouteConfig> routes;

    SiteNameChecks(GatewayConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
        this.routes = config.routes();
    }

    /**
     * Compares the certificates of listeners with the hosts of routes.
     *
     * @param names DNS names by path of the pair; none for a pair that can't be read
     */
    void certificates(Map<String, List<String>> names) {
        List<String> pairs = pairs();
        if (pairs.isEmpty() || !names.keySet().containsAll(pairs)) {
            return; // what can't be read may have any name
        }
        Set<String> reported = new HashSet<>();
        for (int i = 0; i < routes.size(); i++) {
            String host = routes.get(i).host();
            if (isName(host)
                    && pairs.stream()
                            .flatMap(pair -> names.getOrDefault(pair, List.of()).stream())
                            .noneMatch(name -> fits(name, host))
                    && reported.add(host)) {
                findings.warning(
                        "routes/" + i + "/host",
                        host
                                + ": no certificate of a listener has this name, and clients refuse others; add one for it");
            }
        }
        for (String pair : pairs) {
            List<String> all = names.getOrDefault(pair, List.of());
            if (!all.isEmpty()
                    && all.stream().noneMatch(name -> routes.stream().anyMatch(route -> fits(name, route.host())))) {
                findings.warning(
                        pair + "/certificate-file",
                        "for " + String.join(", ", all) + ": no route has a host of these; add the route, or remove the"
                                + " certificate");
            }
        }
    }

    /** Returns the paths of the certificates of listeners that serve routes. */
    private List<String> pairs() {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < config.listeners().size(); i++) {
            ServerTls.@Nullable Settings tls = config.listeners().get(i).tls();
            int count = tls == null || config.listeners().get(i).mode() != ListenerInfo.Mode.REVERSE
                    ? 0
                    : tls.certificates().size();
            for (int k = 0; k < count; k++) {
                pairs.add("listeners/" + i + "/tls/certificates/" + k);
            }
        }
        return pairs;
    }

    /** Compares the origin names of challenges with the hosts of routes that ask for tokens. */
    void originNames() {
        boolean forward = config.listeners().stream()
                .filter(listener -> listener.originName() == null && listener.forward() != null)
                .map(listener -> config.forward().get(listener.forward()))
                .anyMatch(policy -> policy == null || policy.token() != ForwardSettings.Token.OFF);
        List<String> common = config.privacyPass().originNames();
        boolean fit = forward || namesOfRoutes("privacy-pass/origin-names", common);
        for (int i = 0; i < routes.size(); i++) {
            List<String> own = routes.get(i).challenge().originNames();
            if (own.isEmpty() ? fit : namesOfRoutes("routes/" + i + "/challenge/origin-names", own)) {
                hostIsNamed(i, own.isEmpty() ? common : own);
            }
        }
    }

    /** Returns whether each of the names is the host of a route with tokens; warns of others. */
    private boolean namesOfRoutes(String path, List<String> names) {
        boolean all = true;
        for (int k = 0; k < names.size(); k++) {
            String host = withoutPort(names.get(k));
            if (asksForTokens()
                    && routes.stream().noneMatch(route -> asks(route) && RouteChecks.covers(route.host(), host))) {
                all = false;
                findings.warning(
                        path + "/" + k,
                        names.get(k) + ": no route with a token has this host, and clients obtain tokens for the host"
                                + " that they request only; write the hosts of the routes");
            }
        }
        return all;
    }

    private void hostIsNamed(int index, List<String> names) {
        RouteConfig route = routes.get(index);
        String host = route.host();
        if (!names.isEmpty()
                && asks(route)
                && isName(host)
                && names.stream().noneMatch(name -> RouteChecks.covers(host, withoutPort(name)))) {
            findings.warning(
                    "routes/" + index + "/host",
                    host + ": not one of the origin names " + names
                            + ", and clients obtain tokens for the host that they request only; add it to origin-names");
        }
    }

    private boolean asksForTokens() {
        return routes.stream().anyMatch(SiteNameChecks::asks);
    }

    private static boolean asks(RouteConfig route) {
        return route.token() != Route.Token.OFF;
    }

    private static boolean isName(String host) {
        return !host.equals("*") && !NetUtil.isValidIpV4Address(host) && host.indexOf(':') < 0;
    }

    private static String withoutPort(String name) {
        return name.replaceFirst(":[0-9]+$", "");
    }

    /** Returns whether a certificate with that DNS name is for a host of the route. */
    private static boolean fits(String name, String host) {
        if (RouteChecks.covers(host, name)) {
            return true;
        }
        int dot = host.indexOf('.');
        return name.startsWith("*.") && dot > 0 && name.substring(1).equals(host.substring(dot));
    }
}
