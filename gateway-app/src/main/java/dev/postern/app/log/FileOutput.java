package dev.postern.app.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Output to a file. A full file is renamed to {@code NAME.1}, earlier files to the next number. Where that fails, lines are lost rather than
 * the file grows, which the rolling appender of Log4j would let happen. A file that another program moved or deleted is left, and a new one
 * begins. Confined to one thread.
 */
final class FileOutput implements LineOutput {

    private final Path file;
    private final long maxSize;
    private final int keep;
    private @Nullable FileOutputStream out;
    private @Nullable Object key;
    private long size;

    /**
     * @param maxSize of the file; a single write may be larger
     * @param keep maximum number of renamed files
     */
    FileOutput(Path file, long maxSize, int keep) {
        this.file = file;
        this.maxSize = maxSize;
        this.keep = keep;
    }

    @Override
    public void write(List<String> lines) throws IOException {
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(UTF_8);
        FileOutputStream current = stream(bytes.length);
        try {
            current.write(bytes);
            size += bytes.length;
        } catch (IOException e) {
            takeBack(current);
            throw e;
        }
    }

    private FileOutputStream stream(int length) throws IOException {
        FileOutputStream current = out;
        if (current != null && !Objects.equals(key, key())) {
            close();
            current = null;
        }
        if (current == null) {
            current = open();
        }
        if (size > 0 && size + length > maxSize) {
            close();
            rename();
            current = open();
        }
        return current;
    }

    private FileOutputStream open() throws IOException {
        FileOutputStream opened = new FileOutputStream(file.toFile(), true);
        out = opened;
        size = opened.getChannel().size();
        key = key();
        return opened;
    }

    /** Returns what identifies the file under the name; null if there is none. */
    private @Nullable Object key() {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }

    private void rename() throws IOException {
        for (int number = keep - 1; number >= 1; number--) {
            if (Files.exists(numbered(number))) {
                Files.move(numbered(number), numbered(number + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(file, numbered(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    /** Removes the part of the lines that was written before the failure, so that the file consists of whole lines. */
    private void takeBack(FileOutputStream current) throws IOException {
        try (current) {
            current.getChannel().truncate(size);
        } catch (IOException e) {
            // The file takes no lines at all, or is a device. The failure of the write is reported.
        }
        out = null;
    }

    @Override
    public void close() throws IOException {
        FileOutputStream current = out;
        out = null;
        if (current != null) {
            current.close();
        }
    }
}
