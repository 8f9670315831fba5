package dev.postern.app.reading;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;

/** Runs Tomcat with a servlet at {@code /api/*} and a virtual host. */
final class TomcatBackend implements Backend {

    private final Tomcat tomcat = new Tomcat();

    /** @param lenient whether it decodes encoded slashes and treats backslashes as slashes, which it refuses by default */
    TomcatBackend(Path folder, boolean lenient) {
        tomcat.setBaseDir(folder.toString());
        tomcat.setSilent(true);
        Connector connector = new Connector();
        connector.setProperty("address", "127.0.0.1");
        connector.setPort(0);
        connector.setThrowOnFailure(true);
        if (lenient) {
            connector.setEncodedSolidusHandling("decode");
            connector.setAllowBackslash(true);
            connector.setProperty("relaxedPathChars", "[]|{}^`");
        }
        tomcat.setConnector(connector);
        Context site = tomcat.addContext("", folder.toString());
        serve(site, "/api/*", "path");
        serve(site, "/", "");
        StandardHost host = new StandardHost();
        host.setName("api.example");
        tomcat.getEngine().addChild(host);
        serve(tomcat.addContext(host, "", folder.toString()), "/", "host");
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException("cannot start Tomcat", e);
        }
    }

    private static void serve(Context context, String pattern, String mark) {
        Tomcat.addServlet(context, "servlet" + pattern, new Marking(mark)).addMapping(pattern);
    }

    @Override
    public String address() {
        return "127.0.0.1:" + tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException("cannot stop Tomcat", e);
        }
    }

    private static final class Marking extends HttpServlet {

        private static final long serialVersionUID = 1;

        private final String mark;

        private Marking(String mark) {
            this.mark = mark;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            if (!mark.isEmpty()) {
                response.setHeader(PROTECTED, mark);
            }
        }
    }
}
