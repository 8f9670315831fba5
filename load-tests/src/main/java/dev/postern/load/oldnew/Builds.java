package dev.postern.load.oldnew;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Progress;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Old and new build of the gateway, both in a temporary folder, so that changes of the sources during a run rebuild
 * neither of them. The folder is deleted when the builds are closed, and through a shutdown hook when the run is
 * interrupted.
 */
final class Builds implements AutoCloseable {
    private static final Duration BUILD_TIME = Duration.ofMinutes(15);
    /** Where the launcher of a checkout builds the program. */
    private static final Path PROGRAM = Path.of("gateway-app", "target", "app");

    private final Path folder;
    private final Thread hook;

    private Builds(Path folder) {
        this.folder = folder;
        this.hook = new Thread(this::delete, "delete-builds");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Builds the commit, and copies the program of this project, which is built already. */
    static Builds prepare(Commit old) {
        try {
            Builds builds = new Builds(Files.createTempDirectory("postern-old-new-"));
            try {
                builds.install(Path.of("").toAbsolutePath(), Result.NEW);
                Path sources = Files.createDirectory(builds.folder.resolve("sources"));
                Progress.say("building " + old.hash());
                old.writeTo(sources);
                builds.install(sources, Result.OLD);
                return builds;
            } catch (RuntimeException | IOException e) {
                builds.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("temporary folder: not writable", e);
        }
    }

    /** Lets the launcher of a checkout build what is outdated, and copies launcher and program. */
    private void install(Path checkout, String name) throws IOException {
        RunFolder run = RunFolder.create("old-new-build-" + name);
        launch(run, checkout, Map.of("POSTERN_AOT_CACHE", "off"));
        Path home = folder.resolve(name);
        Path program = Files.createDirectories(home.resolve(PROGRAM));
        Command.output(List.of("cp", "-a", checkout.resolve(PROGRAM) + "/.", program.toString()));
        Command.output(List.of("cp", "-a", checkout.resolve(Build.LAUNCHER).toString(), home.toString()));
        recordCache(run, home, program);
    }

    /** Lets a JDK that has an AOT cache record it, because a cache fits only the folder where it was recorded. */
    private static void recordCache(RunFolder run, Path home, Path program) throws IOException {
        try (DirectoryStream<Path> caches = Files.newDirectoryStream(program, "*.aot")) {
            for (Path cache : caches) {
                Files.delete(cache);
            }
        }
        launch(run, home, Map.of());
    }

    private static void launch(RunFolder run, Path home, Map<String, String> environment) {
        List<String> version = List.of(home.resolve(Build.LAUNCHER).toString(), "--version");
        try (ServerProcess process = ServerProcess.startVisibly(run, "build", version, environment)) {
            int status = process.awaitEnd(BUILD_TIME);
            if (status != 0) {
                throw new IllegalStateException(home + ": exit status " + status + " of the launcher (expected: 0)");
            }
        }
    }

    Build old() {
        return new Build(Result.OLD, folder.resolve(Result.OLD));
    }

    Build current() {
        return new Build(Result.NEW, folder.resolve(Result.NEW));
    }

    @Override
    public void close() {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the shutdown hook deletes the folder.
            return;
        }
    }

    private void delete() {
        Command.output(List.of("rm", "-rf", folder.toString()));
    }
}
