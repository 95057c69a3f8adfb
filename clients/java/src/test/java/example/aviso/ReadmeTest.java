package example.aviso;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    @Test
    void showsTheQuickstart() throws IOException {
        var program = Files.readString(Path.of("examples/Quickstart.java"));
        assertTrue(Files.readString(Path.of("README.md")).contains("```java\n" + program + "```\n"));
        assertTrue(program.lines().count() < 30);
    }
}
