package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** List of the parts of a benchmark, measured in turn. */
record PartList(List<Part> all) {
    /**
     * Measures the parts of these names, or all, and prints each result at once, so that an interrupted run keeps its
     * finished parts.
     */
    List<Report> measure(List<String> only, Pace pace, CommandSpec spec) {
        List<String> names = all.stream().map(Part::name).toList();
        if (!names.containsAll(only)) {
            throw new ParameterException(
                    spec.commandLine(), "--only: " + String.join(",", only) + " (expected: some of " + names + ")");
        }
        List<Report> reports = new ArrayList<>();
        for (Part part : all) {
            if (only.isEmpty() || only.contains(part.name())) {
                Report report = report(part, pace);
                System.out.println(report);
                reports.add(report);
            }
        }
        return reports;
    }

    private static Report report(Part part, Pace pace) {
        Report report = new Report(part.title());
        try {
            part.measure(pace, report);
        } catch (RuntimeException e) {
            // The other parts may take half an hour, so a failed part does not discard their results.
            Progress.say(part.name() + " failed: " + e);
            report.failed(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        return report;
    }

    /** Returns the exit status: 0, or 1 if a goal is missed, or 2 if all parts failed. */
    static int status(List<Report> reports) {
        if (reports.stream().allMatch(Report::isFailed)) {
            return 2;
        }
        return reports.stream().anyMatch(Report::missed) ? 1 : 0;
    }
}
