package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.HeapMeter;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.LoadRun;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Jdk;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import java.util.List;
import java.util.Map;

/** Heap part: bytes that the gateway allocates on the heap for each request, on each JDK that is found. */
final class HeapPart implements Part {
    private static final Goal GOAL = Goal.atMost(500);
    private static final int BODY = 128;
    private static final int CONNECTIONS = 64;

    @Override
    public String name() {
        return "heap";
    }

    @Override
    public String title() {
        return "heap bytes per request";
    }

    @Override
    public void measure(Pace pace, Table table) {
        List<Jdk> found = Jdk.found();
        try (RunFolder folder = RunFolder.create("proxies-" + name())) {
            Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
            for (Jdk jdk : found) {
                table.goal(figure(jdk.major()), measure(pace, folder, origin, jdk), GOAL);
            }
        }
        for (int major : Jdk.SUPPORTED) {
            if (found.stream().noneMatch(jdk -> jdk.major() == major)) {
                table.notMeasured(figure(major), "no such JDK found", null);
            }
        }
    }

    private Interval measure(Pace pace, RunFolder folder, Nginx origin, Jdk jdk) {
        String name = Peer.POSTERN + "-jdk-" + jdk.major();
        Map<String, String> environment = Map.of("JAVA_HOME", jdk.home().toString());
        try (Peer postern = Peer.postern(name, folder, origin.port(), false, environment);
                HeapMeter heap = HeapMeter.attach(postern.process().pid())) {
            Progress.say("warming up " + name + ", " + pace.warmUp().toSeconds() + " s");
            Wrk.warmUp(postern.uri(), CONNECTIONS, pace.warmUp());
            double[] bytes = new double[pace.rounds()];
            for (int i = 0; i < bytes.length; i++) {
                long bytesBefore = heap.allocated();
                LoadRun load = Wrk.run(postern.uri(), CONNECTIONS, pace.turn());
                bytes[i] = (double) (heap.allocated() - bytesBefore) / load.requests();
                Progress.say("heap, round %d of %d: %s, %.0f bytes per request", i + 1, bytes.length, name, bytes[i]);
            }
            return Interval.of(bytes);
        }
    }

    private static String figure(int major) {
        return "postern on JDK " + major;
    }
}
