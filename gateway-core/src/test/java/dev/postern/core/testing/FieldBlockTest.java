package dev.postern.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Tests the reader with the examples of RFC 7541 that have no Huffman code. */
class FieldBlockTest {

    private final FieldBlock.Reader reader = new FieldBlock.Reader();

    private String read(String hex) {
        return String.join(" ", reader.read(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    /** Appendix C.3. */
    @Test
    void readsRequestsOfOneConnection() {
        assertThat(read("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d"))
                .isEqualTo(":method GET :scheme http :path / :authority www.example.com");
        assertThat(read("8286 84be 5808 6e6f 2d63 6163 6865"))
                .isEqualTo(":method GET :scheme http :path / :authority www.example.com cache-control no-cache");
        assertThat(read("8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65"))
                .isEqualTo(":method GET :scheme https :path /index.html :authority www.example.com"
                        + " custom-key custom-value");
    }

    /** Appendix C.5, behind the size update that its table of 256 bytes needs. */
    @Test
    void readsResponsesWhoseTableIsFull() {
        String date = "Mon, 21 Oct 2013 20:13:2";
        assertThat(read("3fe101 4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032"
                        + " 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d"))
                .isEqualTo(":status 302 cache-control private date " + date + "1 GMT location https://www.example.com");
        assertThat(read("4803 3330 37c1 c0bf"))
                .isEqualTo(":status 307 cache-control private date " + date + "1 GMT location https://www.example.com");
        assertThat(read("88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a"
                        + " 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d"
                        + " 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31"))
                .isEqualTo(":status 200 cache-control private date " + date
                        + "2 GMT location https://www.example.com content-encoding gzip"
                        + " set-cookie foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
    }

    /** Section 2.3.3: the oldest entry has the highest index. */
    @Test
    void forgetsTheOldestEntry() {
        read("3f21 4001 6101 31 4001 6201 32"); // 64 bytes: no room for a second entry of 34
        assertThat(read("be")).isEqualTo("b 2");
        assertThatThrownBy(() -> read("bf")).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
