package dev.postern.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ReservedPortsIT {

    /** No test gets this port. */
    private static final int PORT = 1;

    @Test
    void reservesAPortOnce() {
        int port = ServerProcess.freePort();

        assertThat(ReservedPorts.reserve(port)).isFalse();
    }

    @Test
    void reservesNoPortOfAnotherProcess() throws IOException, InterruptedException {
        String script = "import fcntl, sys; file = open(sys.argv[1], 'r+b'); "
                + "fcntl.lockf(file, fcntl.LOCK_EX, 1, int(sys.argv[2])); print('held', flush=True); sys.stdin.read()";
        Process other = new ProcessBuilder(
                        ServerProcess.find("python3").toString(),
                        "-c",
                        script,
                        ReservedPorts.FILE.toString(),
                        Integer.toString(PORT))
                .start();
        try (BufferedReader output = other.inputReader()) {
            assertThat(output.readLine()).isEqualTo("held");
            assertThat(ReservedPorts.reserve(PORT)).isFalse();
        } finally {
            other.destroyForcibly().waitFor();
        }
    }
}
