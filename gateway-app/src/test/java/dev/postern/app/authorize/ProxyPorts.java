package dev.postern.app.authorize;

import dev.postern.core.testing.ServerProcess;

/**
 * Ports in place of those on the page.
 *
 * @param plain port of the proxy, 8080 on the page
 * @param tls port of the proxy for TLS, 8443 on the page
 * @param gateway port of the gateway, 9190 on the page
 * @param site port of the site, 9000 on the page
 */
record ProxyPorts(int plain, int tls, int gateway, int site) {

    static ProxyPorts before(int site) {
        return new ProxyPorts(ServerProcess.freePort(), ServerProcess.freePort(), ServerProcess.freePort(), site);
    }

    String replace(String text) {
        return text.replaceAll("\\b8080\\b", Integer.toString(plain))
                .replaceAll("\\b8443\\b", Integer.toString(tls))
                .replaceAll("\\b9190\\b", Integer.toString(gateway))
                .replaceAll("\\b9000\\b", Integer.toString(site));
    }
}
