import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Edits the sources of an app in a way that changes nothing of what the app does. An edit goes by the compiler's tree
 * and symbols, so that it touches what it means to touch and leaves everything else as it is.
 *
 * <p>Usage: java Edit EDIT APP_DIR OUT_DIR [CLASSPATH]
 *
 * <p>APP_DIR holds AndroidManifest.xml, src/ and perhaps res/; OUT_DIR gets the same, edited. CLASSPATH is what the
 * app compiles against: the platform, and the folder of generated sources if the app has resources.
 */
class Edit {
    private static final List<String> EDITS = List.of("insert-lines", "one-line", "spread", "rename-locals",
            "reorder-members", "add-lambda", "rename-classes", "rename-methods", "rename-package");
    private static final String RENAMED = "Renamed";

    private final String edit;
    private final Path app;
    private final Path out;
    private final List<Unit> units = new ArrayList<>();
    private final Map<String, String> classNames = new LinkedHashMap<>(); // binary names: old to new
    private final Set<TypeElement> types = new LinkedHashSet<>(); // all of the app's, also those without a name
    Trees trees;
    private SourcePositions positions;
    private Elements elements;
    private Types typeUtils;
    private int count;

    Edit(String edit, Path app, Path out) {
        this.edit = edit;
        this.app = app;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        if (args.length == 1 && args[0].equals("--list")) {
            EDITS.forEach(System.out::println);
            return;
        }
        if (args.length < 3 || args.length > 4 || !EDITS.contains(args[0])) {
            System.err.println("usage: java Edit EDIT APP_DIR OUT_DIR [CLASSPATH]\nedits: " + String.join(" ", EDITS));
            System.exit(2);
        }
        new Edit(args[0], Paths.get(args[1]), Paths.get(args[2])).run(args.length == 4 ? args[3] : "");
    }

    // One file: its tree, its tokens, and what changes in it.

    /** A stretch of a file and what stands there instead. */
    record Change(int from, int to, String text) {}

    record Token(int from, int to, String text) {
        boolean isName() {
            return Character.isJavaIdentifierStart(text.charAt(0));
        }
    }

    class Unit {
        final CompilationUnitTree tree;
        final Path path; // below src/
        final String text;
        final List<Token> tokens;
        final Set<Change> changes = new LinkedHashSet<>();

        Unit(CompilationUnitTree tree) throws IOException {
            this.tree = tree;
            path = app.resolve("src").toAbsolutePath().normalize()
                    .relativize(Paths.get(tree.getSourceFile().toUri()).toAbsolutePath().normalize());
            text = tree.getSourceFile().getCharContent(true).toString();
            tokens = tokens(text);
        }

        int start(Tree t) {
            return (int) positions.getStartPosition(tree, t);
        }

        /** The end of a tree; -1 if the compiler made it and it does not stand in the source. */
        int end(Tree t) {
            return t == null ? -1 : (int) positions.getEndPosition(tree, t);
        }

        boolean written(Tree t) {
            return end(t) >= 0 && end(t) > start(t);
        }

        void insert(int at, String what) {
            changes.add(new Change(at, at, what));
        }

        void replace(int from, int to, String what) {
            changes.add(new Change(from, to, what));
        }

        /** The first token in from..to that reads as given, or null. */
        Token find(String what, int from, int to) {
            for (Token t : tokens) {
                if (t.from >= from && t.to <= to && t.text.equals(what)) {
                    return t;
                }
            }
            return null;
        }

        /** The last token that ends at or before a position. */
        Token before(int at) {
            Token last = null;
            for (Token t : tokens) {
                if (t.to > at) {
                    break;
                }
                last = t;
            }
            return last;
        }

        /** Renames a use: a name, or the last name of a tree. */
        void renameUse(Tree t, String name, String to) {
            int end = end(t);
            if (written(t) && text.startsWith(name, end - name.length())) {
                replace(end - name.length(), end, to);
            }
        }

        void renameFirst(String name, int from, int to, String renamed) {
            Token t = find(name, from, to);
            if (t == null) {
                throw new IllegalStateException(path + ": no " + name + " at " + tree.getLineMap().getLineNumber(from));
            }
            replace(t.from, t.to, renamed);
        }

        String changed() {
            List<Change> sorted = new ArrayList<>(changes);
            sorted.sort(Comparator.comparingInt(Change::from).thenComparingInt(Change::to));
            StringBuilder b = new StringBuilder();
            int at = 0;
            for (Change c : sorted) {
                if (c.from < at) {
                    throw new IllegalStateException(path + ": changes overlap at " + tree.getLineMap().getLineNumber(c.from));
                }
                b.append(text, at, c.from).append(c.text);
                at = c.to;
            }
            return b.append(text, at, text.length()).toString();
        }
    }

    private static final Pattern TOKEN = Pattern.compile(
            "(?<skip>\\s+|//[^\\r\\n]*|/\\*(?s:.*?)\\*/)"
                    + "|\"\"\"(?s:\\\\.|.)*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])+'"
                    + "|\\.?[0-9](?:[eEpP][+-]|[\\w.])*"
                    + "|[\\p{L}_$][\\p{L}\\p{Nd}_$]*"
                    + "|>>>=|<<=|>>=|>>>|\\.\\.\\.|->|::|\\+\\+|--|&&|\\|\\||==|!=|<=|>=|[-+*/&|^%]=|<<|>>|[^\\s]");

    /** The tokens of a file, without comments. */
    private static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        Matcher m = TOKEN.matcher(text);
        for (int at = 0; at < text.length(); at = m.end()) {
            m.region(at, text.length());
            if (!m.lookingAt()) {
                throw new IllegalStateException("no token at " + at);
            }
            if (m.group("skip") == null) {
                tokens.add(new Token(m.start(), m.end(), m.group()));
            }
        }
        return tokens;
    }

    // The run.

    private void run(String classpath) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(app.resolve("src"))) {
            files = all.filter(p -> p.toString().endsWith(".java")).sorted().collect(Collectors.toList());
        }
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(problems, null, null)) {
            List<String> options = new ArrayList<>(List.of("--release", "8", "-proc:none", "-nowarn"));
            if (!classpath.isEmpty()) {
                options.addAll(List.of("-cp", classpath));
            }
            JavacTask task = (JavacTask) compiler.getTask(null, manager, problems, options, null,
                    manager.getJavaFileObjectsFromPaths(files));
            trees = Trees.instance(task);
            positions = trees.getSourcePositions();
            elements = task.getElements();
            typeUtils = task.getTypes();
            for (CompilationUnitTree tree : task.parse()) {
                units.add(new Unit(tree));
            }
            task.analyze();
            for (Diagnostic<?> d : problems.getDiagnostics()) {
                if (d.getKind() == Diagnostic.Kind.ERROR) {
                    throw new IllegalStateException(d.toString());
                }
            }
            for (Unit u : units) {
                scan(u, (path, element) -> {
                    if (path.getLeaf() instanceof ClassTree) {
                        types.add((TypeElement) element);
                    }
                });
            }
            apply();
        }
    }

    private void apply() throws IOException {
        switch (edit) {
            case "insert-lines" -> writeAll(this::insertLines);
            case "one-line" -> writeAll(u -> joined(u, " ") + "\n");
            case "spread" -> writeAll(u -> joined(u, "\n") + "\n");
            case "rename-locals" -> writeAll(this::renameLocals);
            case "reorder-members" -> writeAll(u -> new Members(this, u).reversed());
            case "add-lambda" -> writeAll(this::addLambdas);
            case "rename-classes" -> renameClasses();
            case "rename-methods" -> renameMethods();
            case "rename-package" -> renamePackages();
            default -> throw new IllegalStateException(edit);
        }
    }

    interface Text {
        String of(Unit u);
    }

    private void writeAll(Text text) throws IOException {
        for (Unit u : units) {
            write(Paths.get("src").resolve(u.path), text.of(u));
        }
        writeXML(UnaryOperator.identity());
    }

    private void write(Path name, String text) throws IOException {
        Path file = out.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    interface Visitor {
        void visit(TreePath path, Element element);
    }

    /** Visits every tree that stands in the source, with the element that it declares or names, if any. */
    void scan(Unit u, Visitor visitor) {
        new TreePathScanner<Void, Void>() {
            @Override
            public Void scan(Tree t, Void none) {
                if (t != null && (u.written(t) || t instanceof CompilationUnitTree)) {
                    visitor.visit(new TreePath(getCurrentPath(), t), elementOf(t));
                }
                return super.scan(t, none);
            }

            private Element elementOf(Tree t) {
                boolean named = t instanceof ClassTree || t instanceof MethodTree || t instanceof VariableTree
                        || t instanceof IdentifierTree || t instanceof MemberSelectTree || t instanceof MemberReferenceTree;
                return named ? trees.getElement(new TreePath(getCurrentPath(), t)) : null;
            }
        }.scan(new TreePath(u.tree), null);
    }

    // Edits of the layout.

    private static String joined(Unit u, String separator) {
        return u.tokens.stream().map(Token::text).collect(Collectors.joining(separator));
    }

    private String insertLines(Unit u) {
        Set<Integer> places = new LinkedHashSet<>(Set.of(0));
        scan(u, (path, element) -> {
            List<? extends Tree> list = List.of();
            if (path.getLeaf() instanceof ClassTree c) {
                list = c.getMembers().stream().filter(m -> !isEnumConstant(path, m)).collect(Collectors.toList());
            } else if (path.getLeaf() instanceof BlockTree b) {
                list = b.getStatements();
            } else if (path.getLeaf() instanceof CaseTree c && c.getStatements() != null) {
                list = c.getStatements();
            }
            list.stream().filter(u::written).forEach(t -> places.add(u.start(t)));
        });
        places.forEach(at -> u.insert(at, "\n// Inserted line " + ++count + ".\n\n"));
        return u.changed();
    }

    boolean isEnumConstant(TreePath owner, Tree member) {
        return member instanceof VariableTree
                && trees.getElement(new TreePath(owner, member)).getKind() == ElementKind.ENUM_CONSTANT;
    }

    // Lambdas and classes that nobody uses.

    private String addLambdas(Unit u) {
        scan(u, (path, element) -> {
            if (path.getLeaf() instanceof MethodTree m && m.getBody() != null) {
                int at = u.start(m.getBody()) + 1;
                for (StatementTree s : m.getBody().getStatements()) {
                    if (u.written(s)) {
                        at = isConstructorCall(s) ? u.end(s) : at;
                        break;
                    }
                }
                int n = ++count;
                u.insert(at, " Runnable spare" + n + " = () -> { }; Object odd" + n + " = new Object() { };");
            }
        });
        return u.changed();
    }

    private static boolean isConstructorCall(StatementTree s) {
        if (!(s instanceof ExpressionStatementTree e) || !(e.getExpression() instanceof MethodInvocationTree call)) {
            return false;
        }
        ExpressionTree called = call.getMethodSelect();
        return called instanceof IdentifierTree i && (i.getName().contentEquals("this") || i.getName().contentEquals("super"))
                || called instanceof MemberSelectTree s2 && s2.getIdentifier().contentEquals("super");
    }

    // Names of variables and methods.

    /** Whether the app declares it. */
    boolean isOurs(Element e) {
        return types.contains(e.getEnclosingElement());
    }

    private static final Set<ElementKind> LOCALS = Set.of(ElementKind.LOCAL_VARIABLE, ElementKind.PARAMETER,
            ElementKind.EXCEPTION_PARAMETER, ElementKind.RESOURCE_VARIABLE, ElementKind.BINDING_VARIABLE);

    private String renameLocals(Unit u) {
        Map<Integer, Integer> declared = new HashMap<>(); // start of a declaration: end of its variables so far
        scan(u, (path, element) -> {
            if (element == null || !LOCALS.contains(element.getKind())) {
                return;
            }
            String name = element.getSimpleName().toString();
            if (path.getLeaf() instanceof VariableTree v) {
                int start = u.start(v);
                int from = Math.max(u.end(v.getType()), declared.getOrDefault(start, start));
                if (u.find(name, from, u.end(v)) == null) {
                    from = start; // int name[]
                }
                u.renameFirst(name, from, u.end(v), name + RENAMED);
                declared.put(start, u.end(v));
            } else if (path.getLeaf() instanceof IdentifierTree t && t.getName().contentEquals(name)) {
                u.renameUse(t, name, name + RENAMED);
            }
        });
        return u.changed();
    }

    private void renameMethods() throws IOException {
        Set<Element> renamed = methodsToRename();
        Set<String> names = renamed.stream().map(m -> m.getSimpleName().toString()).collect(Collectors.toSet());
        writeAll(u -> {
            scan(u, (path, element) -> {
                Tree t = path.getLeaf();
                if (t instanceof MethodTree m && renamed.contains(element)) {
                    String name = m.getName().toString();
                    u.renameFirst(name, u.end(m.getReturnType()), u.end(m), name + RENAMED);
                } else if (element != null && renamed.contains(element)) {
                    String name = element.getSimpleName().toString();
                    u.renameUse(t, name, name + RENAMED);
                } else if (t instanceof ImportTree i && i.isStatic()
                        && i.getQualifiedIdentifier() instanceof MemberSelectTree s && names.contains(s.getIdentifier().toString())) {
                    Element owner = trees.getElement(new TreePath(new TreePath(path, s), s.getExpression()));
                    if (types.contains(owner)) {
                        u.renameUse(s, s.getIdentifier().toString(), s.getIdentifier() + RENAMED);
                    }
                }
            });
            return u.changed();
        });
    }

    /** The methods that only the app knows by name, with all that override them. */
    private Set<Element> methodsToRename() throws IOException {
        Map<Element, Set<Element>> related = new HashMap<>(); // by overriding, both ways
        for (TypeElement type : types) {
            List<ExecutableElement> members = ElementFilter.methodsIn(elements.getAllMembers(type));
            members.addAll(ElementFilter.methodsIn(type.getEnclosedElements()));
            Set<TypeElement> above = new LinkedHashSet<>();
            supertypes(type, above);
            for (ExecutableElement m : members) {
                for (TypeElement s : above) {
                    for (ExecutableElement o : ElementFilter.methodsIn(s.getEnclosedElements())) {
                        if (o != m && o.getSimpleName().equals(m.getSimpleName()) && elements.overrides(m, o, type)) {
                            related.computeIfAbsent(m, k -> new HashSet<>()).add(o);
                            related.computeIfAbsent(o, k -> new HashSet<>()).add(m);
                        }
                    }
                }
            }
        }
        Set<String> inLayouts = new HashSet<>();
        eachXML((name, text) -> {
            Matcher m = Pattern.compile("android:onClick=\"([^\"]*)\"").matcher(text);
            while (m.find()) {
                inLayouts.add(m.group(1));
            }
        });
        Set<Element> renamed = new LinkedHashSet<>();
        Set<Element> seen = new HashSet<>();
        for (TypeElement type : types) {
            for (ExecutableElement m : ElementFilter.methodsIn(type.getEnclosedElements())) {
                Set<Element> family = new LinkedHashSet<>();
                List<Element> todo = new ArrayList<>(List.of(m));
                while (!todo.isEmpty()) {
                    Element e = todo.remove(todo.size() - 1);
                    if (family.add(e)) {
                        todo.addAll(related.getOrDefault(e, Set.of()));
                    }
                }
                if (seen.add(m) && family.stream().allMatch(e -> isKnownHereOnly(e, inLayouts))) {
                    renamed.addAll(family);
                }
            }
        }
        return renamed;
    }

    private void supertypes(TypeElement type, Set<TypeElement> above) {
        for (TypeMirror s : typeUtils.directSupertypes(type.asType())) {
            TypeElement e = (TypeElement) ((DeclaredType) s).asElement();
            if (above.add(e)) {
                supertypes(e, above);
            }
        }
    }

    private boolean isKnownHereOnly(Element method, Set<String> inLayouts) {
        return isOurs(method) && elements.getOrigin(method) == Elements.Origin.EXPLICIT
                && !method.getModifiers().contains(Modifier.NATIVE)
                && method.getEnclosingElement().getKind() != ElementKind.ANNOTATION_TYPE
                && !inLayouts.contains(method.getSimpleName().toString())
                && method.getAnnotationMirrors().stream()
                        .noneMatch(a -> a.getAnnotationType().toString().equals("android.webkit.JavascriptInterface"));
    }

    // Names of classes and packages.

    private void renameClasses() throws IOException {
        for (TypeElement t : types) {
            if (t.getSimpleName().length() > 0 && t.getNestingKind().toString().matches("TOP_LEVEL|MEMBER")) {
                classNames.put(elements.getBinaryName(t).toString(), renamedClass(t));
            }
        }
        for (Unit u : units) {
            scan(u, (path, element) -> {
                Tree t = path.getLeaf();
                if (t instanceof LiteralTree l) {
                    renameLiteral(u, l);
                } else if (t instanceof MethodTree m && element.getKind() == ElementKind.CONSTRUCTOR) {
                    String name = element.getEnclosingElement().getSimpleName().toString();
                    u.renameFirst(name, Math.max(u.start(m), u.end(m.getModifiers())), u.end(m), name + RENAMED);
                } else if (element instanceof TypeElement && types.contains(element) && element.getSimpleName().length() > 0) {
                    String name = element.getSimpleName().toString();
                    if (t instanceof ClassTree c) {
                        u.renameFirst(name, Math.max(u.start(c), u.end(c.getModifiers())), u.end(c), name + RENAMED);
                    } else {
                        u.renameUse(t, name, name + RENAMED);
                    }
                }
            });
            String file = u.path.getFileName().toString().replace(".java", "");
            boolean holds = u.tree.getTypeDecls().stream().anyMatch(t -> t instanceof ClassTree c && c.getSimpleName().contentEquals(file));
            write(Paths.get("src").resolve(u.path).resolveSibling(file + (holds ? RENAMED : "") + ".java"), u.changed());
        }
        writeXML(this::renameInXML);
    }

    private String renamedClass(TypeElement t) {
        Element outer = t.getEnclosingElement();
        String name = t.getSimpleName() + RENAMED;
        if (outer instanceof TypeElement o) {
            return renamedClass(o) + "$" + name;
        }
        String in = ((PackageElement) outer).getQualifiedName().toString();
        return in.isEmpty() ? name : in + "." + name;
    }

    private void renamePackages() throws IOException {
        Map<String, String> packages = new HashMap<>();
        String own = manifestPackage();
        for (TypeElement t : types) {
            String old = elements.getPackageOf(t).getQualifiedName().toString();
            packages.put(old, moved(old, old.equals(own) || old.startsWith(own + ".") ? own : old));
            if (t.getSimpleName().length() > 0 && t.getNestingKind().toString().matches("TOP_LEVEL|MEMBER")) {
                String binary = elements.getBinaryName(t).toString();
                classNames.put(binary, packages.get(old) + binary.substring(old.length()));
            }
        }
        for (Unit u : units) {
            PackageTree in = u.tree.getPackage();
            Set<String> imports = new LinkedHashSet<>();
            scan(u, (path, element) -> {
                Tree t = path.getLeaf();
                Tree parent = path.getParentPath() == null ? null : path.getParentPath().getLeaf();
                if (t instanceof LiteralTree l) {
                    renameLiteral(u, l);
                } else if (element instanceof PackageElement p && packages.containsKey(p.getQualifiedName().toString())
                        && (parent instanceof PackageTree || parent instanceof MemberSelectTree s && moves(path.getParentPath(), s))) {
                    u.replace(u.start(t), u.end(t), packages.get(p.getQualifiedName().toString()));
                } else if (t instanceof IdentifierTree && element instanceof TypeElement e && !types.contains(e)
                        && packages.containsKey(elements.getPackageOf(e).getQualifiedName().toString())
                        && e.getEnclosingElement() instanceof PackageElement) {
                    imports.add(e.getQualifiedName().toString()); // what was generated stays where it was
                }
            });
            for (ImportTree i : u.tree.getImports()) {
                imports.remove(i.getQualifiedIdentifier().toString());
            }
            imports.forEach(name -> u.insert(u.end(in), " import " + name + ";"));
            String old = in.getPackageName().toString();
            Path name = Paths.get("src", packages.get(old).split("\\.")).resolve(u.path.getFileName());
            write(name, u.changed());
        }
        writeXML(this::renameInXML);
    }

    /** Whether PACKAGE.name is a class of the app, or all of them. */
    private boolean moves(TreePath path, MemberSelectTree s) {
        return s.getIdentifier().contentEquals("*") || types.contains(trees.getElement(path));
    }

    /** com.example.app.sub, moved with com.example.app: com.example.moved.app.sub. */
    private static String moved(String name, String with) {
        int dot = with.lastIndexOf('.') + 1;
        return name.substring(0, dot) + "moved." + name.substring(dot);
    }

    private void renameLiteral(Unit u, LiteralTree l) {
        if (l.getValue() instanceof String s && classNames.containsKey(s)) {
            u.replace(u.start(l), u.end(l), '"' + classNames.get(s) + '"');
        }
    }

    // The manifest and the layouts.

    private String manifestPackage() throws IOException {
        Matcher m = Pattern.compile("\\spackage=\"([^\"]*)\"").matcher(Files.readString(app.resolve("AndroidManifest.xml")));
        return m.find() ? m.group(1) : "";
    }

    interface XML {
        void file(Path name, String text) throws IOException;
    }

    private void eachXML(XML visit) throws IOException {
        visit.file(Paths.get("AndroidManifest.xml"), Files.readString(app.resolve("AndroidManifest.xml")));
        if (!Files.isDirectory(app.resolve("res"))) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(app.resolve("res"))) {
            files = all.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
        for (Path file : files) {
            Path name = app.relativize(file);
            if (file.toString().endsWith(".xml")) {
                visit.file(name, Files.readString(file));
            } else {
                Files.createDirectories(out.resolve(name).getParent());
                Files.write(out.resolve(name), Files.readAllBytes(file));
            }
        }
    }

    private void writeXML(UnaryOperator<String> changed) throws IOException {
        eachXML((name, text) -> write(name, changed.apply(text)));
    }

    /** Renames the classes that attributes and elements name in full, or from the dot on. */
    private String renameInXML(String text) {
        String own;
        try {
            own = manifestPackage();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return Pattern.compile("(?<==\"|</?)[\\w.$]+").matcher(text).replaceAll(m -> {
            String full = m.group().startsWith(".") ? own + m.group() : m.group();
            return Matcher.quoteReplacement(classNames.getOrDefault(full, m.group()));
        });
    }
}
