package dev.postern.auth.pipelining;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.pipelining.Step.Fate;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Upstream that handles each request as its step defines. */
final class ModelOrigin implements AutoCloseable {

    private final ServerSocket server;
    private final Function<Long, Pipeline> pipelines;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> daemon(task, "model-origin"));
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "model-origin-clock"));
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    ModelOrigin(Function<Long, Pipeline> pipelines) throws IOException {
        this.pipelines = pipelines;
        this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                threads.execute(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed: no more connections
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean goesOn = true;
            while (goesOn) {
                String head = head(in);
                if (head.isEmpty()) {
                    return;
                }
                body(head, in);
                String[] path = head.substring(head.indexOf(" /p/") + 4, head.indexOf(" HTTP"))
                        .split("/");
                Pipeline pipeline = pipelines.apply(Long.parseLong(path[0]));
                goesOn = response(pipeline, pipeline.steps().get(Integer.parseInt(path[1])), socket);
            }
        } catch (IOException | ExecutionException e) {
            // closed by the gateway
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private boolean response(Pipeline pipeline, Step step, Socket socket)
            throws IOException, InterruptedException, ExecutionException {
        pipeline.arrived(step);
        clock.schedule(() -> {}, step.delayMicros(), TimeUnit.MICROSECONDS).get();
        pipeline.responded(step);
        if (step.fate() == Fate.DROPPED) {
            return false;
        }
        String text = step.fate() == Fate.CUT ? step.half() : step.response();
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return step.fate() != Fate.CUT && step.framing() != Step.Framing.CLOSE;
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.append((char) b);
        }
        return head.toString();
    }

    private static void body(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        int length = lower.indexOf("\r\ncontent-length: ");
        if (length >= 0) {
            in.readNBytes(Integer.parseInt(lower.substring(length + 18, lower.indexOf("\r\n", length + 18))));
        } else if (lower.contains("\r\ntransfer-encoding: chunked\r\n")) {
            for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
                in.readNBytes(size + 2);
            }
            line(in);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("ended inside a line");
            }
            line.append((char) b);
        }
        return line.toString().trim();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        clock.shutdownNow();
        threads.shutdownNow();
    }
}
