package dev.postern.core.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Netty's epoll, but a socket stays in it while nothing is expected of it for a moment.
 *
 * <p>Netty 4.2 (seen up to 4.2.20) takes a socket out of epoll when it is neither read nor watched for the peer's end, and does not remember: the next wish for
 * bytes fails with ENOENT and costs the connection. So such a socket is watched for nothing, edge-triggered, which wakes nobody again and
 * again (docs/adr/0018). On the event loop.
 */
final class StickyReadEpollChannel implements IoHandler {

    private final IoHandler epoll;

    private StickyReadEpollChannel(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory handlers = EpollIoHandler.newFactory();
        return executor -> new StickyReadEpollChannel(handlers.newHandler(executor));
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return epoll.run(context);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Registration(epoll.register(handle));
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handle) {
        return epoll.isCompatible(handle);
    }

    /** A socket in epoll. */
    private static final class Registration implements IoRegistration {

        private final IoRegistration inEpoll;
        private boolean added;

        Registration(IoRegistration inEpoll) {
            this.inEpoll = inEpoll;
        }

        @Override
        public long submit(IoOps wanted) {
            if (wanted.equals(EpollIoOps.NONE)) {
                return added ? inEpoll.submit(EpollIoOps.EPOLLET) : inEpoll.submit(wanted);
            }
            added = true;
            return inEpoll.submit(wanted);
        }

        @Override
        public <T> T attachment() {
            return inEpoll.attachment();
        }

        @Override
        public boolean isValid() {
            return inEpoll.isValid();
        }

        @Override
        public boolean cancel() {
            return inEpoll.cancel();
        }
    }
}
