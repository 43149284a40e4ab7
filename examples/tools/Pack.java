import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes an unsigned APK or a jar: entries in name order, one fixed time stamp, no extra fields,
 * nothing compressed, so that the same inputs give the same bytes whatever zlib the JDK comes with.
 *
 * <p>Usage: java Pack.java OUT INPUT... where an input is an APK, such as aapt2's output, whose
 * entries are taken, a folder whose files are taken, or a single file.
 */
class Pack {
    public static void main(String[] args) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        for (int i = 1; i < args.length; i++) {
            Path input = Paths.get(args[i]);
            if (Files.isDirectory(input)) {
                addFolder(entries, input);
            } else if (args[i].endsWith(".apk")) {
                addEntries(entries, input);
            } else {
                entries.put(input.getFileName().toString(), Files.readAllBytes(input));
            }
        }
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(Paths.get(args[0])))) {
            for (Map.Entry<String, byte[]> e : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(e.getKey());
                // Local time on purpose: a zip stores no zone, and setTime would convert.
                entry.setTimeLocal(java.time.LocalDateTime.of(1981, 1, 1, 1, 1, 2));
                CRC32 crc = new CRC32();
                crc.update(e.getValue());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(e.getValue().length);
                entry.setCrc(crc.getValue());
                out.putNextEntry(entry);
                out.write(e.getValue());
                out.closeEntry();
            }
        }
    }

    private static void addEntries(Map<String, byte[]> entries, Path apk) throws IOException {
        try (ZipFile zip = new ZipFile(apk.toFile())) {
            for (ZipEntry e : (Iterable<ZipEntry>) zip.stream().map(z -> (ZipEntry) z)::iterator) {
                entries.put(e.getName(), zip.getInputStream(e).readAllBytes());
            }
        }
    }

    private static void addFolder(Map<String, byte[]> entries, Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).collect(Collectors.toList());
        }
        for (Path file : files) {
            entries.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
        }
    }
}
