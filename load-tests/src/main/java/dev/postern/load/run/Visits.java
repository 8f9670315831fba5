package dev.postern.load.run;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What an origin's access log tells of the pages that it gave: lines of status, browser and path. */
final class Visits {
    private Visits() {}

    /** Browsers that got the page below this path and each of its assets. */
    static long wholePages(Collection<String> lines, String path, int assets) {
        Map<String, Set<String>> filesByBrowser = lines.stream()
                .map(line -> line.split(" ", 3))
                .filter(visit -> visit[0].equals("200") && visit[2].startsWith("/" + path + "/"))
                .collect(Collectors.groupingBy(
                        visit -> visit[1], Collectors.mapping(visit -> visit[2], Collectors.toSet())));
        return filesByBrowser.values().stream()
                .filter(files -> files.size() == assets + 1 && files.contains("/" + path + "/page"))
                .count();
    }

    /** Visits below this path. */
    static long of(List<String> lines, String path) {
        return lines.stream().filter(line -> line.contains(" /" + path + "/")).count();
    }
}
