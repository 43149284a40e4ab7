import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes an unsigned APK from aapt2's output and a folder of dex files: entries in name order, one
 * fixed time stamp, no extra fields, nothing compressed, so that the same inputs give the same
 * bytes whatever zlib the JDK comes with.
 *
 * <p>Usage: java Pack.java OUT.apk RESOURCES.apk DEX...
 */
class Pack {
    public static void main(String[] args) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        try (ZipFile resources = new ZipFile(args[1])) {
            for (ZipEntry e : (Iterable<ZipEntry>) resources.stream().map(z -> (ZipEntry) z)::iterator) {
                entries.put(e.getName(), resources.getInputStream(e).readAllBytes());
            }
        }
        for (int i = 2; i < args.length; i++) {
            Path dex = Paths.get(args[i]);
            entries.put(dex.getFileName().toString(), Files.readAllBytes(dex));
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
}
