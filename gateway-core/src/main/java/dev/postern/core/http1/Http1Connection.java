package dev.postern.core.http1;

import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Method;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.RequestHead;
import dev.postern.core.exchange.ResponseHead;
import dev.postern.core.exchange.Stage;
import dev.postern.core.exchange.Tunnel;
import dev.postern.core.exchange.Turn;
import dev.postern.core.lifecycle.Drain;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.Policy;
import dev.postern.core.transport.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client connection of HTTP/1.1: turns its bytes into exchanges and lets their answers out in arrival order.
 *
 * <p>The only one to touch autoRead, and the only one to write, until the connection becomes a tunnel. One per channel, confined to its
 * event loop.
 */
public final class Http1Connection extends ChannelInboundHandlerAdapter {

    private final Http1Limits limits;
    private final Supplier<Policy> policies;
    private final Client client;
    private final Drain drain;
    private final RequestScanner scanner;
    private final ArrivalOrder order = new ArrivalOrder();
    private final ArrayDeque<Http1Answer> answers = new ArrayDeque<>(2);
    private final Deadline deadline;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Http1RequestBody body;
    private @Nullable ByteBuf held;
    private @Nullable RequestHead spare;
    private long headStart;
    private boolean processing;
    private boolean deaf;
    private boolean inputEnded;
    private boolean closing;

    /**
     * @param policies the current configuration, asked once for each exchange
     * @param drain says when the process is going down
     */
    public Http1Connection(Http1Limits limits, Supplier<Policy> policies, Client client, Drain drain) {
        this.limits = limits;
        this.policies = policies;
        this.client = client;
        this.drain = drain;
        this.scanner = new RequestScanner(limits.requestHead(), client.secure());
        this.deadline = new Deadline(client.loop(), this::late);
    }

    // ---- what arrives

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        arm(limits.keepAlive());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (deaf) {
            in.release();
            return;
        }
        ByteBuf before = held;
        if (before != null) {
            held = before.isReadable() ? ctx.alloc().compositeBuffer().addComponents(true, before, in) : in;
            if (!before.isReadable()) {
                before.release();
            }
            // One read may be held for somebody; a second one says that the client sends faster than we take.
            ctx.channel().config().setAutoRead(false);
        } else {
            held = in;
        }
        proceed();
    }

    /** Takes what is held as far as anybody wants it. */
    private void proceed() {
        if (processing) {
            return;
        }
        processing = true;
        try {
            boolean more = true;
            while (more && held != null && held.isReadable()) {
                more = step(held);
            }
        } catch (Fault fault) {
            refuse(fault.refusal(), fault.getMessage());
        } finally {
            processing = false;
        }
        letGo();
        if (inputEnded && held == null) {
            endOfInput();
        }
    }

    /** One step; false when nothing more can be done now. */
    private boolean step(ByteBuf in) {
        if (deaf) {
            in.skipBytes(in.readableBytes());
            return false;
        }
        Http1RequestBody receiving = body;
        if (receiving != null) {
            receiving.take(in);
            if (receiving.done()) {
                bodyDone();
                return true;
            }
            if (receiving.flows() && receiving.wanted()) {
                arm(limits.bodyIdle());
            }
            if (receiving.discarded() > limits.discardBody()) {
                hangUp();
            }
            return receiving.flows() && in.isReadable();
        }
        if (answers.size() >= limits.pipelineDepth() || closing) {
            return false;
        }
        if (!scanner.begun()) {
            headStart = System.nanoTime();
            scanner.begin(nextHead());
        }
        if (!scanner.scan(in)) {
            deadline.set(headStart, limits.headTimeout().toNanos());
            return false;
        }
        arrived(scanner.head());
        return true;
    }

    private RequestHead nextHead() {
        RequestHead next = spare;
        spare = null;
        return next != null ? next : new RequestHead();
    }

    private void arrived(RequestHead head) {
        deadline.clear();
        if (head.hasBody()) {
            body = new Http1RequestBody(this, head);
        }
        if (!head.keepAlive() || head.method().equals(Method.CONNECT)) {
            // Whatever follows waits until it is known whose bytes these are.
            closing = true;
        }
        fire(head, body, null);
    }

    private void fire(RequestHead head, @Nullable Http1RequestBody received, @Nullable Refusal fault) {
        ArrivalOrder.Place place = order.arrive(head.method().safe() && !head.hasBody());
        Http1Answer answer = new Http1Answer(this, place);
        Turn turn = next -> order.whenReached(place, next);
        RequestBody source = received != null ? received : RequestBody.EMPTY;
        Exchange exchange =
                new Exchange(client, head, new Exchange.Carrier(source, answer, turn), policies.get(), headStart);
        answer.exchange(exchange);
        answers.add(answer);
        if (answers.size() == 1) {
            answer.becomeFirst();
        }
        if (fault != null) {
            exchange.fault(fault);
        }
        ctx().fireChannelRead(exchange);
    }

    private void bodyDone() {
        body = null;
        deadline.clear();
        if (answers.isEmpty()) {
            idle();
        }
    }

    /** Refuses what can't be read; nothing that follows on this connection is read either. */
    private void refuse(Refusal refusal, @Nullable String why) {
        closing = true;
        deadline.clear();
        Http1RequestBody receiving = body;
        if (receiving == null) {
            fire(scanner.head(), null, refusal);
        } else {
            Http1Answer last = answers.peekLast();
            if (last == null) {
                closeNow();
            } else {
                last.exchange().outcome().reason(why == null ? "" : why);
                last.exchange().refuse(refusal);
            }
            receiving.fail();
            body = null;
        }
        deaf = true;
    }

    // ---- what the exchanges ask for

    void bodyWanted(Http1RequestBody asked) {
        if (asked != body) {
            asked.take(Unpooled.EMPTY_BUFFER);
            return;
        }
        continueExpected(asked);
        arm(limits.bodyIdle());
        proceed();
    }

    private void continueExpected(Http1RequestBody asked) {
        Http1Answer first = answers.peekFirst();
        if (first != null && first.exchange().body() == asked && !asked.begun() && !first.begun()) {
            RequestHead head = first.exchange().request();
            if (head.expectsContinue() && (held == null || !held.isReadable())) {
                first.interim(new ResponseHead().status(100));
            }
            head.expectsContinue(false);
        }
    }

    /** Whether the connection can't be used after that answer. */
    boolean closesAfter(Http1Answer answer) {
        boolean asked =
                !answer.exchange().request().keepAlive() || answer.exchange().fault() != null;
        boolean early =
                answer.exchange().request().method().equals(Method.CONNECT) && held != null && held.isReadable();
        Http1RequestBody receiving = body;
        boolean unread = receiving != null
                && answer.exchange().body() == receiving
                && (receiving.outstanding() > limits.discardBody()
                        || (answer.exchange().request().expectsContinue()));
        return asked || early || unread || deaf || inputEnded || drain.begun();
    }

    void completed(Http1Answer answer) {
        if (!answer.place().gone()) {
            order.skip(answer.place());
        }
        for (Http1Answer first = answers.peekFirst(); first != null && first.complete(); first = answers.peekFirst()) {
            answers.remove();
            Exchange done = first.exchange();
            done.timeline().mark(Stage.SEND);
            done.end();
            if (!after(first)) {
                return;
            }
            keepHead(done);
            Http1Answer next = answers.peekFirst();
            if (next != null) {
                next.becomeFirst();
            }
            order.answered();
        }
        if (answers.isEmpty() && body == null) {
            idle();
        }
        proceed();
    }

    /** The head of an exchange that went all the way is used again: nobody can still be working with it. */
    private void keepHead(Exchange done) {
        if (done.outcome().refusal() == null && done.outcome().forwarded()) {
            spare = done.request();
        }
    }

    /** What becomes of the connection after an answer; false when it can't go on. */
    private boolean after(Http1Answer answer) {
        Tunnel tunnel = answer.tunnel();
        if (tunnel != null) {
            becomeTunnel(tunnel);
            return false;
        }
        if (answer.closes()) {
            hangUp();
            return false;
        }
        if (answer.exchange().request().method().equals(Method.CONNECT)) {
            closing = false;
        }
        Http1RequestBody receiving = body;
        if (receiving != null && answer.exchange().body() == receiving) {
            receiving.discard();
            arm(limits.bodyIdle());
        }
        return true;
    }

    private void becomeTunnel(Tunnel tunnel) {
        ChannelHandlerContext ctx = ctx();
        deadline.stop();
        ChannelPipeline pipeline = ctx.pipeline();
        ByteBuf early = held;
        held = null;
        deaf = true;
        while (pipeline.last() != this) {
            pipeline.removeLast();
        }
        tunnel.open(ctx.channel());
        ctx.channel().config().setAutoRead(true);
        if (early != null) {
            ctx.fireChannelRead(early);
            ctx.fireChannelReadComplete();
        }
        pipeline.remove(this);
    }

    void write(ByteBuf out) {
        ChannelHandlerContext ctx = ctx();
        ctx.write(out, ctx.voidPromise());
    }

    void flush() {
        ctx().flush();
    }

    boolean writable() {
        return ctx().channel().isWritable();
    }

    ByteBufAllocator allocator() {
        return ctx().alloc();
    }

    /** The answer at the front can't be completed. */
    void cut() {
        closeNow();
    }

    // ---- how it ends

    private void idle() {
        if (inputEnded || drain.begun()) {
            hangUp();
        } else {
            arm(limits.keepAlive());
        }
    }

    private void late() {
        Http1RequestBody receiving = body;
        if (receiving == null && scanner.begun()) {
            refuse(Refusal.REQUEST_TIMEOUT, "head");
        } else if (receiving != null && !receiving.flows()) {
            return; // it is we who let the client wait
        } else if (receiving != null && !answers.isEmpty()) {
            refuse(Refusal.REQUEST_TIMEOUT, "body");
        } else if (answers.isEmpty()) {
            closeNow();
        }
    }

    /** Ends the connection so that the last answer arrives: no reset because of bytes that nobody reads. */
    private void hangUp() {
        deaf = true;
        closing = true;
        deadline.clear();
        letGo();
        Lingering.close(ctx().channel());
    }

    private void closeNow() {
        ctx().close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        deadline.stop();
        deaf = true;
        letGo();
        if (body != null) {
            body.fail();
            body = null;
        }
        for (Http1Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.exchange().outcome().markCut();
            answer.release();
            answer.exchange().end();
        }
        order.clear();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
            proceed();
        } else if (event == Drain.BEGUN) {
            if (answers.isEmpty() && body == null && !scanner.begun()) {
                hangUp();
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    private void endOfInput() {
        if (body != null) {
            body.fail();
            closeNow();
        } else if (answers.isEmpty()) {
            hangUp();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Http1Answer first = answers.peekFirst();
        if (first != null) {
            first.becameWritable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // A reset by the client, most often; whatever it was, the channel is of no more use, and channelInactive cleans
        // up.
        ctx.close();
    }

    private void letGo() {
        ByteBuf in = held;
        if (in != null && (!in.isReadable() || deaf)) {
            in.release();
            held = null;
        }
        if (held == null && !inputEnded && !ctx().channel().config().isAutoRead()) {
            ctx().channel().config().setAutoRead(true);
        }
    }

    private void arm(Duration after) {
        deadline.set(System.nanoTime(), after.toNanos());
    }

    private ChannelHandlerContext ctx() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
