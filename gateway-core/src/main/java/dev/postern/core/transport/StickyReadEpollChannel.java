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
 * Netty's epoll handler, except that a socket stays registered in epoll while no event is of interest.
 *
 * <p>Netty 4.2 (seen up to 4.2.20) removes a socket from epoll when neither reads nor the end of the peer are of interest, and does not
 * record the removal: the next request for reads fails with ENOENT and the connection is lost. Such a socket is therefore registered for no
 * events, edge-triggered, which causes no repeated wake-ups (docs/adr/0018). Event loop only.
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

    /** Registration of a socket in epoll. */
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
