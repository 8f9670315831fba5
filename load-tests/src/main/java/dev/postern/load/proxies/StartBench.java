package dev.postern.load.proxies;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Measures the first half minute of a gateway's load beside the same load on a warm gateway, and the start in the image. */
@Command(
        name = "start",
        description = "CPU time and p99 of the first half minute of load, with and without the AOT cache, over the same"
                + " requests warm; time to /readyz in the image over java -version.")
public final class StartBench implements Callable<Integer> {
    @Mixin
    PartOptions options = new PartOptions(5, 30, 40);

    @Override
    public Integer call() {
        return options.measure(List.of(new FirstLoad(false), new FirstLoad(true), new ImageStart()));
    }
}
