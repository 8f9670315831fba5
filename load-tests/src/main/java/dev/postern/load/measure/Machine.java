package dev.postern.load.measure;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Machine of a run, as results state it.
 *
 * @param processor maker and model, such as {@code AMD EPYC}
 * @param java version of the Java runtime
 */
public record Machine(String processor, int cores, String kernel, String java) {
    public static Machine current() {
        return Unchecked.get(() -> {
            String processor = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
            return new Machine(
                    processor,
                    Runtime.getRuntime().availableProcessors(),
                    System.getProperty("os.version"),
                    System.getProperty("java.vm.version"));
        });
    }

    @Override
    public String toString() {
        return processor + ", " + cores + " cores, kernel " + kernel + ", Java " + java;
    }
}
