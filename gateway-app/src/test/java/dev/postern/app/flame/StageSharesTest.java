package dev.postern.app.flame;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.postern.app.admin.AdminServer;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.StageChain;
import dev.postern.core.pipeline.StageSlot;
import io.netty.channel.ChannelHandler;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageSharesTest {

    private static final String RUN = "io.netty.channel.SingleThreadIoEventLoop.run_[j];";
    private static final String LOOP = "[postern-loop];" + RUN;
    private static final String CORE = "dev.postern.core.";

    private final StageShares stages = new StageShares();

    @Test
    void assignsAStackToItsLastStage() {
        stages.add(LOOP + CORE + "http1.Http1ServerConnection.channelRead_[j] 1");
        stages.add(LOOP + CORE + "http1.Http1ServerConnection.channelRead;" + CORE + "pipeline.StageChain.channelRead;"
                + CORE + "pipeline.MatchStage.onExchange 2");
        String forward = stages.add(LOOP + CORE + "http1.Http1ServerConnection.channelRead;" + CORE
                + "pipeline.MatchStage.onExchange;" + CORE + "proxy.ProxyStage.onExchange;java.util.ArrayList.add 40");
        String waiting = stages.add(LOOP + "io.netty.channel.epoll.EpollIoHandler.run 7");

        assertThat(forward).startsWith("[postern-loop];[forward];" + RUN).endsWith(";java.util.ArrayList.add 40");
        assertThat(waiting).startsWith("[postern-loop];[event loop];" + RUN);
        assertThat(stages).hasToString("Event loops: forward 80.0 %, event loop 14.0 %, match 4.0 %, codec 2.0 %. ");
    }

    @Test
    void assignsSharedCodeToItsCaller() {
        String writer = CORE + "http1.codec.HeadWriter.write;" + CORE + "http.Head.get";

        assertThat(stages.add(LOOP + CORE + "http1.client.Http1UpstreamConnection.send;" + writer + " 3"))
                .contains("[forward]");
        assertThat(stages.add(LOOP + CORE + "http1.Http1ServerConnection.answer;" + writer + " 4"))
                .contains("[codec]");
    }

    @Test
    void ignoresOtherThreads() {
        String other = "[postern-admin];" + CORE + "proxy.ProxyStage.onExchange 3";

        assertThat(stages.add(other)).isEqualTo(other);
        assertThat(stages).hasToString("");
    }

    /**
     * A handler that is added or renamed must not be missing in the stages. The admin addresses have their own event loop, which has no
     * stages.
     */
    @Test
    void everyHandlerHasAStage() {
        List<String> handlers = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(location -> !location.contains("-tests.jar"))
                        .importPackages("dev.postern")
                        .stream()
                        .filter(c -> c.isAssignableTo(ChannelHandler.class) || c.isAssignableTo(ExchangeStage.class))
                        .filter(c -> !c.getPackageName().equals(AdminServer.class.getPackageName()))
                        .map(JavaClass::getName)
                        .filter(name -> !List.of(StageChain.class.getName(), ExchangeStage.class.getName())
                                .contains(name))
                        .filter(name -> !name.startsWith(StageSlot.class.getName())) // of several stages
                        .toList();

        assertThat(handlers).hasSizeGreaterThan(10);
        assertThat(handlers)
                .allSatisfy(name -> assertThat(StageNames.of(name)).as(name).isPresent());
    }
}
