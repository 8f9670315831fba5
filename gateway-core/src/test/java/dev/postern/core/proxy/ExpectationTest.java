package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectationTest {

    @ParameterizedTest
    @CsvSource({
        "true, true, 4, true",
        "true, true, -1, true", // chunked
        "true, true, 0, false",
        "true, false, 4, false",
        "false, true, 4, false",
    })
    void waitsForTheUpstreamOnlyWithABody(boolean upstreamDecides, boolean expects, long length, boolean waits) {
        RequestHead request = new RequestHead().bodyLength(length).expectsContinue(expects);
        request.add(FieldName.EXPECT, "100-Continue");
        assertThat(Expectation.forward(request, upstreamDecides)).isEqualTo(waits);
        assertThat(request.occurrences(FieldName.EXPECT)).isEqualTo(waits ? 1 : 0);
        assertThat(request.value(FieldName.EXPECT)).isEqualTo(waits ? "100-continue" : null);
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "false, 0"})
    void writesOneFieldHoweverOftenARequestIsSent(boolean upstreamDecides, int fields) {
        RequestHead request = new RequestHead().bodyLength(4).expectsContinue(true);
        request.add(FieldName.EXPECT, "100-continue");
        Expectation.forward(request, upstreamDecides);
        Expectation.forward(request, upstreamDecides);
        assertThat(request.occurrences(FieldName.EXPECT)).isEqualTo(fields);
    }
}
