package dev.postern.load.peers;

import io.netty.channel.epoll.Epoll;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Spring Cloud Gateway on Reactor Netty with one event loop on epoll and the fields that the gateway adds. Arguments:
 * port, upstream port, and {@code h2} for clients of HTTP/2.
 */
@SpringBootApplication
public class SpringCloudGatewayPeer {
    private static final String SERVER = "spring.cloud.gateway.server.webflux.";

    public static void main(String... arguments) {
        if (!Epoll.isAvailable()) {
            throw new IllegalStateException("transport: nio (expected: epoll)", Epoll.unavailabilityCause());
        }
        System.setProperty("reactor.netty.ioWorkerCount", "1");
        SpringApplication application = new SpringApplication(SpringCloudGatewayPeer.class);
        application.setDefaultProperties(Map.ofEntries(
                Map.entry("server.address", "127.0.0.1"),
                Map.entry("server.port", arguments[0]),
                Map.entry("server.http2.enabled", String.valueOf(List.of(arguments).contains("h2"))),
                Map.entry("spring.main.banner-mode", "off"),
                Map.entry("logging.level.root", "warn"),
                Map.entry(SERVER + "routes[0].id", "app"),
                Map.entry(SERVER + "routes[0].uri", "http://127.0.0.1:" + arguments[1]),
                Map.entry(SERVER + "routes[0].predicates[0]", "Path=/**"),
                Map.entry(SERVER + "routes[0].filters[0]", "PreserveHostHeader"),
                Map.entry(SERVER + "routes[0].filters[1]", "SetRequestHeader=Via, 1.1 spring-cloud-gateway"),
                // Without this property the gateway adds no X-Forwarded fields at all.
                Map.entry(SERVER + "trusted-proxies", ".*"),
                Map.entry(SERVER + "forwarded.enabled", "false"),
                Map.entry(SERVER + "x-forwarded.port-enabled", "false"),
                Map.entry(SERVER + "x-forwarded.prefix-enabled", "false"),
                Map.entry(SERVER + "httpclient.pool.type", "fixed"),
                Map.entry(SERVER + "httpclient.pool.max-connections", "4096")));
        application.run();
    }
}
