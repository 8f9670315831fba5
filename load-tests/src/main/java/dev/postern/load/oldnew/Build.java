package dev.postern.load.oldnew;

import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.nio.file.Path;

/**
 * Build of the gateway.
 *
 * @param name {@link Result#OLD} or {@link Result#NEW}
 * @param home folder with the launcher and the program
 */
record Build(String name, Path home) {
    /** Starts the gateway of this build on the core of the measured process. */
    ServerProcess start(RunFolder folder, GatewayConfig config) {
        return Postern.gatewayOf(
                home.resolve(Postern.LAUNCHER), folder, "gateway-" + name, config.yaml(), config.adminPort());
    }
}
