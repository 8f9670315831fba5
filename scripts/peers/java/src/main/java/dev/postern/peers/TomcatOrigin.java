package dev.postern.peers;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.DigestOutputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** The origin in Tomcat; prints its port. */
public final class TomcatOrigin extends HttpServlet {
    private static final long serialVersionUID = 1;

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "origin", new TomcatOrigin());
        context.addServletMappingDecoded("/", "origin");
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setEncodedSolidusHandling("passthrough");
        tomcat.start();
        System.out.println("port " + tomcat.getConnector().getLocalPort());
        tomcat.getServer().await();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
        String path = (request.getRequestURI() + query).replaceFirst("^/tomcat", "");
        OutputStream out = response.getOutputStream();
        if (path.equals("/digest")) {
            out.write(digest(request).getBytes(StandardCharsets.US_ASCII));
        } else if (path.equals("/echo")) {
            request.getInputStream().transferTo(out);
        } else if (path.equals("/none")) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        } else if (path.equals("/pieces")) {
            for (int n = 1; n <= 5; n++) {
                out.write(("{\"line\":" + n + "}\n").getBytes(StandardCharsets.US_ASCII));
                response.flushBuffer();
            }
        } else if (path.startsWith("/bytes/")) {
            for (int i = 0; i < Integer.parseInt(path.substring("/bytes/".length())); i++) {
                out.write(i % 251);
            }
        } else {
            out.write((path.equals("/hello") ? "hello\n" : path).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String digest(HttpServletRequest request) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            request.getInputStream().transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            return HexFormat.of().formatHex(digest.digest());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
