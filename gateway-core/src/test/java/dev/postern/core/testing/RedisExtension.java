package dev.postern.core.testing;

/** Runs a Redis without persistence. */
public final class RedisExtension extends ServerExtension {

    public RedisExtension() {
        super(new ServerProcess(
                "redis-server",
                ServerProcess.freePort(),
                "--bind",
                "127.0.0.1",
                "--port",
                "{port}",
                "--save",
                "",
                "--appendonly",
                "no"));
    }
}
