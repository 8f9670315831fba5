package dev.postern.core.upstream.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that what a handler does not support fails its exchange, and leaves nothing open. */
class UpstreamResponseHandlerTest implements UpstreamResponseHandler {

    private final List<String> failures = new ArrayList<>();

    @Test
    void whatAHandlerDoesNotSupportIsAFailure() {
        unsupported();
        unsendable();
        unprocessed(true);
        unprocessed(false);
        assertThat(failures).containsExactly("NOT_IMPLEMENTED", "INTERNAL", "UPSTREAM_CLOSED", "UPSTREAM_CLOSED");
    }

    @Test
    void aTunnelThatNobodyAskedForIsClosed() {
        EmbeddedChannel tunnel = new EmbeddedChannel();
        ByteBuf early = Unpooled.buffer().writeByte('x');
        upgraded(new ResponseHead().status(101), tunnel, early);
        assertThat(early.refCnt()).isZero();
        assertThat(tunnel.isOpen()).isFalse();
        assertThat(failures).containsExactly("UPSTREAM_MALFORMED");
    }

    @Test
    void aStreamThatBecameATunnelUnaskedIsAborted() {
        FakeStream tunnel = new FakeStream("tunnel", new SilentOwner(), null);
        upgraded(new ResponseHead().status(200), tunnel);
        assertThat(tunnel.closed()).isTrue();
        assertThat(failures).containsExactly("UPSTREAM_MALFORMED");
        assertThat(tunnel.shared()).isFalse();
    }

    private static final class SilentOwner implements UpstreamStream.Owner {

        @Override
        public void free(boolean reusable) {}

        @Override
        public void gone() {}
    }

    @Override
    public void failed(Refusal refusal, boolean silent) {
        assertThat(silent).isFalse();
        failures.add(refusal.name());
    }

    @Override
    public void content(ByteBuf data) {
        data.release();
    }

    @Override
    public void interim(ResponseHead head) {}

    @Override
    public void head(ResponseHead head) {}

    @Override
    public void complete() {}

    @Override
    public void readComplete() {}

    @Override
    public void late() {}

    @Override
    public void writable() {}
}
