package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GrpcStatusTest {

    @ParameterizedTest
    @CsvSource({
        "2, application/grpc, true",
        "2, Application/GRPC+proto, true",
        "2, application/grpc;charset=utf-8, true",
        "1, application/grpc, false",
        "2, application/grpc-web, false",
        "2, application/grpc-web+proto, false",
        "2, application/grpcx, false",
        "2, application/json, false",
    })
    void isExpectedByClientsOfGrpc(int version, String type, boolean expected) {
        RequestHead head = new RequestHead().majorVersion(version);
        head.add(FieldName.CONTENT_TYPE, type);
        assertThat(GrpcStatus.expected(head)).isEqualTo(expected);
        assertThat(GrpcStatus.expected(new RequestHead().majorVersion(2))).isFalse();
    }

    /** The mapping that clients apply to a response without a status of gRPC. */
    @ParameterizedTest
    @CsvSource({
        "400, 13", "401, 16", "403, 7", "404, 12", "429, 14", "502, 14", "503, 14", "504, 14", "307, 2", "413, 2",
        "500, 2"
    })
    void mapsTheHttpStatus(int status, int code) {
        assertThat(GrpcStatus.code(status)).isEqualTo(code);
    }

    @ParameterizedTest
    @EnumSource
    void writesEveryRefusal(Refusal refusal) {
        assertThat(GrpcStatus.fields(refusal.status(), refusal))
                .hasSize(2)
                .allSatisfy(field -> assertThat(field.value()).matches("[ -~]+"));
        assertThat(Set.of(2, 7, 12, 13, 14, 16)).contains(GrpcStatus.code(refusal.status()));
    }

    @Test
    void encodesTheMessage() {
        assertThat(GrpcStatus.encoded("100 % \u00fcber\r\n")).isEqualTo("100 %25 %C3%BCber%0D%0A");
    }
}
