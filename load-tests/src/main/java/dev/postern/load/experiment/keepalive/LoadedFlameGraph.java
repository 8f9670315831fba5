package dev.postern.load.experiment.keepalive;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.proxies.PeerContender;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import one.convert.Arguments;
import one.convert.FlameGraph;

/**
 * Flame graph of a gateway under load: the page of its {@code /flamegraph}, and its stacks.
 *
 * @param page in HTML
 */
record LoadedFlameGraph(Path page, FlameStacks stacks) {
    private static final String ROOT_AT_THE_BOTTOM = "let inverted = false;";
    private static final String CHROMIUM = "chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage"
            + " --no-first-run --disable-background-networking --disable-component-update --disable-sync"
            + " --no-proxy-server --hide-scrollbars --window-size=1200,900";

    /** Takes the graph while the load runs, and writes the page and its stacks into the folder. */
    static LoadedFlameGraph take(RunFolder folder, PeerContender gateway, int adminPort, Duration length) {
        Progress.say("flame graph of " + gateway.name() + ", " + length.toSeconds() + " s");
        Path page = folder.file(gateway.name() + "-flame.html");
        Path stacks = folder.file(gateway.name() + "-flame.collapsed");
        // The load begins before the profile and ends after it.
        CompletableFuture<?> loaded = CompletableFuture.runAsync(() -> gateway.turn(length.plusSeconds(2)));
        URI address =
                URI.create("http://127.0.0.1:" + adminPort + "/flamegraph?event=cpu&seconds=" + length.toSeconds());
        try (InputStream in = posted(address)) {
            Files.copy(in, page, StandardCopyOption.REPLACE_EXISTING);
            FlameGraph.convert(page.toString(), stacks.toString(), new Arguments("--output", "collapsed"));
            loaded.join();
            return new LoadedFlameGraph(page, FlameStacks.of(Files.readString(stacks)));
        } catch (IOException e) {
            throw new UncheckedIOException(address + ": no flame graph", e);
        }
    }

    private static InputStream posted(URI address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestMethod("POST");
        return connection.getInputStream();
    }

    /** Draws the page, its root at the top, by a headless Chromium that reaches no other host. */
    void draw(Path image, RunFolder folder) {
        String output = Command.output(
                CHROMIUM,
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=" + folder.folder("chromium"),
                "--screenshot=" + image.toAbsolutePath(),
                rootAtTheTop(folder).toUri());
        if (!Files.exists(image)) {
            throw new IllegalStateException(image + ": not drawn\n" + output);
        }
        Progress.say("drawn: " + image);
    }

    /** Does in the page what its button for inversion does, so that the part of the page in the window shows the load. */
    private Path rootAtTheTop(RunFolder folder) {
        return Unchecked.get(() -> {
            String text = Files.readString(page);
            if (!text.contains(ROOT_AT_THE_BOTTOM)) {
                throw new IllegalStateException(
                        page + ": no '" + ROOT_AT_THE_BOTTOM + "' in the page of async-profiler");
            }
            return folder.write(
                    "inverted-" + page.getFileName(), text.replace(ROOT_AT_THE_BOTTOM, "let inverted = true;"));
        });
    }
}
