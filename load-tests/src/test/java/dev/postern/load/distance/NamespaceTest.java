package dev.postern.load.distance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamespaceTest {

    @Test
    void findsTheNamespacesOfBenchmarksThatWereKilled() {
        List<String> lines = List.of(
                "postern-near-100 (id: 1)",
                "postern-far-100",
                "postern-near-200 (id: 0)",
                "postern-far-200",
                "postern-near-x",
                "other-near-100",
                "postern-near-100-more",
                "cni-1");

        assertThat(Namespace.abandoned(lines, pid -> pid == 200))
                .containsExactly("postern-near-100", "postern-far-100");
    }
}
