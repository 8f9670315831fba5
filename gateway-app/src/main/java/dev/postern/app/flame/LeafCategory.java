package dev.postern.app.flame;

import dev.postern.app.profile.Frame;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Category of the leaf of a stack: a system call, by its purpose, or code. */
enum LeafCategory {
    CODE("^$"),
    CONNECT(words("connect|finishConnect|pollConnectNow")),
    CLOSE(words("close|shutdown")),
    SEND(words("send|sendto|sendmsg|sendmmsg|sendfile|splice|write|writev")),
    RECEIVE(words("recv|recvfrom|recvmsg|recvmmsg|read|readv")),
    /** Waiting for events: the normal idle state of an event loop. */
    IDLE(
            words(
                    "epoll_wait|epoll_pwait|epoll_pwait2|ep_poll|epollWait|epollBusyWait|EPoll\\.wait|cqring_wait|ioUringEnter")),
    /** Waiting for anything else, which an event loop must not do. */
    BLOCKED(words("futex\\w*|nanosleep|sleep|park|Object\\.wait|pthread_cond_\\w+") + "|::park$|ObjectMonitor::"),
    /** Other code of the kernel. */
    SYSTEM("^$");

    /** Classes whose methods only make system calls. */
    private static final Pattern CALLERS = Pattern.compile(
            "io\\.netty\\.channel\\.unix\\.(Socket|FileDescriptor)|io\\.netty\\.channel\\.(epoll|uring)\\.Native"
                    + "|sun\\.nio\\.ch\\.(Net|EPoll|SocketDispatcher|FileDispatcherImpl|UnixFileDispatcherImpl)"
                    + "|jdk\\.internal\\.misc\\.Unsafe|java\\.lang\\.(Thread|Object)");

    private final Pattern name;

    LeafCategory(String name) {
        this.name = Pattern.compile(name);
    }

    /**
     * Returns a pattern for names of system functions, which have prefixes ({@code __x64_sys_}, {@code __libc_}, {@code tcp_}) and few
     * suffixes.
     */
    private static String words(String words) {
        return "(?:^|[_.])(?:" + words + ")(?:Address(?:es)?)?(?:_nocancel)?\\d?(?![a-zA-Z_])";
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static LeafCategory of(List<Frame> stack) {
        int begin = stack.size();
        while (begin > 0 && outsideJava(stack.get(begin - 1))) {
            begin--;
        }
        if (begin > 0 && CALLERS.matcher(stack.get(begin - 1).className()).matches()) {
            begin--;
        }
        // The outermost frame defines the purpose: on loopback, the kernel's send path includes the receive path of the
        // peer.
        for (Frame frame : stack.subList(begin, stack.size())) {
            for (LeafCategory category : List.of(CONNECT, CLOSE, SEND, RECEIVE, IDLE, BLOCKED)) {
                if (category.name.matcher(frame.name()).find()) {
                    return category;
                }
            }
        }
        boolean kernel = !stack.isEmpty() && stack.get(stack.size() - 1).kind() == Frame.Kind.KERNEL;
        return kernel ? SYSTEM : CODE;
    }

    private static boolean outsideJava(Frame frame) {
        return frame.kind() == Frame.Kind.KERNEL || frame.kind() == Frame.Kind.NATIVE;
    }
}
