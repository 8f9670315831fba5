package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HeadTest {

    private static final FieldName NAME = FieldName.of("X-Name");

    private final RequestHead head = new RequestHead();

    @Test
    void findsFieldsByNameInAnyCase() {
        head.add(FieldName.of("x-name"), "one");
        head.add(FieldName.of("x-other"), "two");
        head.add(NAME, "three");
        assertThat(head.value(NAME)).isEqualTo("one");
        assertThat(head.joined(NAME)).isEqualTo("one, three");
        assertThat(head.occurrences(NAME)).isEqualTo(2);
    }

    @Test
    void removesFieldsAndKeepsTheOrderOfTheOthers() {
        head.add(NAME, "one");
        head.add(FieldName.HOST, "h");
        head.remove(NAME);
        assertThat(head.has(NAME)).isFalse();
        assertThat(head.present(0)).isFalse();
        assertThat(head.named(1, FieldName.HOST)).isTrue();
        assertThat(head.valueAt(1)).isEqualTo("h");
    }

    @Test
    void growsOnDemand() {
        for (int i = 0; i < 200; i++) {
            head.add(FieldName.of("n" + i), "v".repeat(i));
        }
        assertThat(head.value(FieldName.of("n150"))).hasSize(150);
    }

    @Test
    void hasNoSpareSpaceOnceTrimmedAndStillGrows() {
        head.trim();
        head.add(NAME, "one");
        head.trim();
        assertThat(head.bytes()).hasSize("X-Name: one\r\n".length());
        head.add(FieldName.HOST, "h");
        assertThat(head.value(NAME)).isEqualTo("one");
        assertThat(head.value(FieldName.HOST)).isEqualTo("h");
        assertThat(head.trimmed()).isTrue();
    }

    @Test
    void isAllocatedOnceForALongFieldAndTheFieldsOfTheGateway() {
        head.add(NAME, "v".repeat(600));
        byte[] bytes = head.bytes();
        head.add(FieldName.HOST, "h".repeat(200));

        assertThat(head.bytes()).isSameAs(bytes);
        assertThat(head.value(NAME)).hasSize(600);
        assertThat(head.value(FieldName.HOST)).hasSize(200);
    }

    @Test
    void keepsItsFieldsWhenItGrowsAgain() {
        head.add(NAME, "v".repeat(600));
        head.add(FieldName.HOST, "h".repeat(2000));

        assertThat(head.value(NAME)).isEqualTo("v".repeat(600));
        assertThat(head.value(FieldName.HOST)).isEqualTo("h".repeat(2000));
    }

    @Test
    void refusesLineBreaksInValues() {
        assertThatThrownBy(() -> head.add(NAME, "a\r\nEvil: b")).hasMessageContaining("expected");
    }

    @Test
    void separatesHostAndPort() {
        assertThat(head.authority("a.example:8080").host()).isEqualTo("a.example");
        assertThat(head.authority("[::1]:8080").host()).isEqualTo("[::1]");
        assertThat(head.authority("[::1]").host()).isEqualTo("[::1]");
        assertThat(head.authority("a.example").host()).isEqualTo("a.example");
    }
}
