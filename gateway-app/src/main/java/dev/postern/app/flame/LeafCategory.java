package dev.postern.app.flame;

import dev.postern.app.profile.Frame;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What a stack ends in: a call of the system, by its purpose, or code. */
enum LeafCategory {
    CODE("^$"),
    CONNECT(words("connect|finishConnect|pollConnectNow")),
    CLOSE(words("close|shutdown")),
    SEND(words("send|sendto|sendmsg|sendmmsg|sendfile|splice|write|writev")),
    RECEIVE(words("recv|recvfrom|recvmsg|recvmmsg|read|readv")),
    /** Where an event loop waits for events, as it should. */
    IDLE(
            words(
                    "epoll_wait|epoll_pwait|epoll_pwait2|ep_poll|epollWait|epollBusyWait|EPoll\\.wait|cqring_wait|ioUringEnter")),
    /** Where an event loop waits for something else, as it never should. */
    BLOCKED(words("futex\\w*|nanosleep|sleep|park|Object\\.wait|pthread_cond_\\w+") + "|::park$|ObjectMonitor::"),
    /** Of the kernel, other than these. */
    SYSTEM("^$");

    /** The classes whose methods do nothing but call the system. */
    private static final Pattern CALLERS = Pattern.compile(
            "io\\.netty\\.channel\\.unix\\.(Socket|FileDescriptor)|io\\.netty\\.channel\\.(epoll|uring)\\.Native"
                    + "|sun\\.nio\\.ch\\.(Net|EPoll|SocketDispatcher|FileDispatcherImpl|UnixFileDispatcherImpl)"
                    + "|jdk\\.internal\\.misc\\.Unsafe|java\\.lang\\.(Thread|Object)");

    private final Pattern name;

    LeafCategory(String name) {
        this.name = Pattern.compile(name);
    }

    /** Names of the system have words in front ({@code __x64_sys_}, {@code __libc_}, {@code tcp_}) and few behind. */
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
        // The outermost says the purpose: what the kernel does to send may well be to receive on the other side.
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
