package dev.postern.app.reading;

import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Runs a server in another process: nginx, the WSGI server of Python's library, or Node. */
final class ProcessBackend implements Backend {

    private static final String NGINX = """
            daemon off;
            master_process off;
            pid %1$s/nginx.pid;
            error_log %1$s/error.log crit;
            events {}
            http {
              access_log off;
              client_body_temp_path %1$s/body;
              proxy_temp_path %1$s/proxy;
              fastcgi_temp_path %1$s/fastcgi;
              uwsgi_temp_path %1$s/uwsgi;
              scgi_temp_path %1$s/scgi;
              keepalive_requests 100000;
              merge_slashes %3$s;
              server {
                listen 127.0.0.1:%2$d default_server;
                location = /api { add_header X-Protected path always; return 200; }
                location /api/ { add_header X-Protected path always; return 200; }
                location / { return 200; }
              }
              server {
                listen 127.0.0.1:%2$d;
                server_name api.example;
                location / { add_header X-Protected host always; return 200; }
              }
            }
            """;

    private final ServerProcess process;

    private ProcessBackend(ServerProcess process) {
        this.process = process;
        process.start();
    }

    static Backend nginx(Path folder, boolean merge) throws IOException {
        int port = ServerProcess.freePort();
        Path file = folder.resolve("nginx.conf");
        Files.writeString(file, NGINX.formatted(folder, port, merge ? "on" : "off"));
        return new ProcessBackend(new ServerProcess(
                "nginx", port, "-e", folder + "/error.log", "-p", folder.toString(), "-c", file.toString()));
    }

    /** @param decoding {@code once}, as the server does; {@code twice} for an application that decodes again */
    static Backend wsgi(Path folder, String decoding) throws IOException {
        return script(folder, "python3", "wsgi.py", decoding);
    }

    /** @param reading of the target: {@code raw}, {@code decoded}, {@code url} or {@code files} */
    static Backend node(Path folder, String reading) throws IOException {
        return script(folder, "node", "paths.js", reading);
    }

    private static Backend script(Path folder, String program, String name, String argument) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = Objects.requireNonNull(ProcessBackend.class.getResourceAsStream(name))) {
            Files.copy(in, file);
        }
        return new ProcessBackend(
                new ServerProcess(program, ServerProcess.freePort(), file.toString(), "{port}", argument));
    }

    @Override
    public String address() {
        return process.address();
    }

    @Override
    public void close() {
        process.close();
    }
}
