package dev.postern.load.oldnew;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Old and new build of the gateway, both in a temporary folder, so that changes of the sources during a run rebuild
 * neither of them. The folder is deleted at the end of the run.
 */
final class Builds {
    private static final Duration BUILD_TIME = Duration.ofMinutes(15);
    /** Where the launcher of a checkout builds the program. */
    private static final Path PROGRAM = Path.of("gateway-app", "target", "app");

    private final RunFolder run;
    private final Path folder;

    private Builds(RunFolder run, Path folder) {
        this.run = run;
        this.folder = folder;
    }

    /** Builds the commit, and copies the program of this project, which is built already. */
    static Builds prepare(RunFolder run, Commit old) {
        return Unchecked.get(() -> {
            Builds builds = new Builds(run, Files.createTempDirectory("postern-old-new-"));
            run.add(() -> Command.output("rm -rf", builds.folder));
            builds.install(Path.of("").toAbsolutePath(), Result.NEW);
            Path sources = Files.createDirectory(builds.folder.resolve("sources"));
            Progress.say("building " + old.hash());
            old.writeTo(sources);
            builds.install(sources, Result.OLD);
            return builds;
        });
    }

    /** Lets the launcher of a checkout build what is outdated, and copies launcher and program. */
    private void install(Path checkout, String name) throws IOException {
        launch(checkout, Map.of("POSTERN_AOT_CACHE", "off"));
        Path home = folder.resolve(name);
        Path program = Files.createDirectories(home.resolve(PROGRAM));
        Command.output("cp -a", checkout.resolve(PROGRAM) + "/.", program);
        Command.output("cp -a", checkout.resolve(Postern.LAUNCHER), home);
        recordCache(home, program);
    }

    /** Lets a JDK that has an AOT cache record it, because a cache fits only the folder where it was recorded. */
    private void recordCache(Path home, Path program) throws IOException {
        try (DirectoryStream<Path> caches = Files.newDirectoryStream(program, "*.aot")) {
            for (Path cache : caches) {
                Files.delete(cache);
            }
        }
        launch(home, Map.of());
    }

    private void launch(Path home, Map<String, String> environment) {
        List<String> version = List.of(home.resolve(Postern.LAUNCHER).toString(), "--version");
        ServerProcess.startVisibly(run, home + ": launcher", version, environment)
                .awaitSuccess(BUILD_TIME);
    }

    Build old() {
        return new Build(Result.OLD, folder.resolve(Result.OLD));
    }

    Build current() {
        return new Build(Result.NEW, folder.resolve(Result.NEW));
    }
}
