package dev.postern.app.flame;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.postern.app.admin.AdminServer;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.StageChain;
import io.netty.channel.ChannelHandler;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopTimeTest {

    private static final String LOOP = "postern-loop;io.netty.channel.SingleThreadIoEventLoop.run;";
    private static final String CORE = "dev.postern.core.";

    private static LoopTime.Row row(LoopTime loops, String stage) {
        return loops.rows().stream()
                .filter(row -> row.stage().equals(stage))
                .findFirst()
                .orElseThrow(() -> new AssertionError(stage + " (expected: among " + loops.rows() + ")"));
    }

    @Test
    void aStackBelongsToTheLastStageThatItWentThrough() {
        LoopTime loops = LoopTime.of(Stacks.of(
                LOOP + CORE + "http1.Http1ServerConnection.channelRead 1",
                LOOP + CORE + "http1.Http1ServerConnection.channelRead;" + CORE + "pipeline.StageChain.channelRead;"
                        + CORE + "pipeline.MatchStage.onExchange 2",
                LOOP + CORE + "http1.Http1ServerConnection.channelRead;" + CORE + "pipeline.MatchStage.onExchange;"
                        + CORE + "proxy.ProxyStage.onExchange;java.util.ArrayList.add 40",
                LOOP + "io.netty.channel.epoll.EpollIoHandler.run 7"));

        assertThat(loops.all()).isEqualTo(50);
        assertThat(loops.rows())
                .extracting(LoopTime.Row::stage)
                .containsExactly("forward", "event loop", "match", "codec");
        assertThat(row(loops, "forward").classes()).isEqualTo(Map.of("ProxyStage", 40L));
        assertThat(row(loops, "event loop").classes()).isEqualTo(Map.of("Netty", 7L));
    }

    @Test
    void whatSeveralStagesUseBelongsToWhoCalledIt() {
        String writer = CORE + "http1.codec.HeadWriter.write;" + CORE + "http.Head.get";

        LoopTime loops = LoopTime.of(Stacks.of(
                LOOP + CORE + "http1.client.Http1UpstreamConnection.send;" + writer + " 3",
                LOOP + CORE + "http1.Http1ServerConnection.answer;" + writer + " 4"));

        assertThat(row(loops, "forward").classes()).isEqualTo(Map.of("Http1UpstreamConnection", 3L));
        assertThat(row(loops, "codec").classes()).isEqualTo(Map.of("Http1ServerConnection", 4L));
    }

    @Test
    void otherThreadsAreLeftOut() {
        LoopTime loops = LoopTime.of(Stacks.of("postern-admin;" + CORE + "proxy.ProxyStage.onExchange 3"));

        assertThat(loops.all()).isZero();
        assertThat(loops.rows()).isEmpty();
    }

    @Test
    void weightIsToldByWhatTheStacksEndIn() {
        String wire = LOOP + CORE + "upstream.Dialling.dial;";

        LoopTime loops = LoopTime.of(Stacks.of(
                wire + "io.netty.channel.unix.Socket.connect;__libc_connect;__x64_sys_connect[k];tcp_v4_connect[k] 5",
                wire + "io.netty.channel.unix.Socket.close 2",
                wire + "java.util.ArrayDeque.poll 1",
                LOOP + CORE + "extension.StageHandler.take;java.lang.Thread.sleep;__GI___clock_nanosleep 9"));

        assertThat(row(loops, "forward").by())
                .isEqualTo(Map.of(LeafCategory.CONNECT, 5L, LeafCategory.CLOSE, 2L, LeafCategory.CODE, 1L));
        assertThat(row(loops, "extension").by()).isEqualTo(Map.of(LeafCategory.BLOCKED, 9L));
    }

    @ParameterizedTest
    @CsvSource({
        // the kernel's frames, the C library's, and those of Java that stand for them
        "x.Y.z;__writev;__x64_sys_writev[k];tcp_sendmsg[k];tcp_v4_rcv[k], SEND",
        "x.Y.z;__libc_recv;__x64_sys_recvfrom[k], RECEIVE",
        "io.netty.channel.unix.Socket.readAddress, RECEIVE",
        "io.netty.channel.unix.FileDescriptor.writevAddresses, SEND",
        "io.netty.channel.unix.Socket.finishConnect, CONNECT",
        "sun.nio.ch.FileDispatcherImpl.close0, CLOSE",
        "x.Y.z;__close_nocancel, CLOSE",
        "io.netty.channel.epoll.Native.epollWait;epoll_wait;__x64_sys_epoll_wait[k];tcp_poll[k], IDLE",
        "sun.nio.ch.EPoll.wait, IDLE",
        "x.Y.z;epoll_ctl;__x64_sys_epoll_ctl[k];ep_insert[k];tcp_poll[k], SYSTEM",
        "x.Y.z;setsockopt;__sys_setsockopt[k];fput_light[k], SYSTEM",
        "x.Y.z;asm_exc_page_fault[k], SYSTEM",
        "jdk.internal.misc.Unsafe.park;Unsafe_Park;__futex_abstimed_wait_common, BLOCKED",
        "x.Y.z;ObjectMonitor::enter;os::PlatformEvent::park;___pthread_cond_timedwait, BLOCKED",
        // code of ours that is only called so
        "dev.postern.core.upstream.connect.Connector.connect, CODE",
        "io.netty.channel.epoll.AbstractEpollChannel.close, CODE",
        "x.Y.z;G1ParScanClosure::do_oop, CODE",
        "x.Y.z;__memcpy_avx_unaligned, CODE"
    })
    void knowsWhatAStackEndsIn(String frames, LeafCategory category) {
        assertThat(LeafCategory.of(Stacks.stack("postern-loop;" + frames))).isEqualTo(category);
    }

    /**
     * So that a handler that is added, or gets another name, does not fall out of the table unseen. The operators' addresses have a loop of
     * their own, which is not in the table.
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
                        .toList();

        assertThat(handlers).hasSizeGreaterThan(10);
        assertThat(handlers)
                .allSatisfy(name -> assertThat(StageNames.of(name)).as(name).isPresent());
    }
}
