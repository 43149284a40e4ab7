import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;

/**
 * The members of the classes of a file: which move together, which must stay behind others because their initialisers
 * look at them, and the file with all that can be in reverse.
 */
class Members {
    private final Edit edit;
    private final Edit.Unit u;

    Members(Edit edit, Edit.Unit u) {
        this.edit = edit;
        this.u = u;
    }

    /** The text of the file with the members of every class in reverse, as far as they can be. */
    String reversed() {
        return reorder(classes(), 0, u.text.length());
    }

    /** Members that move together: those of one declaration. */
    private static class Part {
        final List<Tree> members = new ArrayList<>();
        final Set<Integer> after = new HashSet<>(); // parts that must stay before this one
        int from;
        int to;
    }

    private record ClassBody(List<Part> parts) {
        int from() {
            return parts.get(0).from;
        }

        int to() {
            return parts.get(parts.size() - 1).to;
        }
    }

    private List<ClassBody> classes() {
        List<ClassBody> bodies = new ArrayList<>();
        edit.scan(u, (path, element) -> {
            if (path.getLeaf() instanceof ClassTree c) {
                List<Part> parts = partsOf(path, c);
                if (parts.size() > 1) {
                    bodies.add(new ClassBody(parts));
                }
            }
        });
        bodies.sort(Comparator.comparingInt(ClassBody::from));
        return bodies;
    }

    private List<Part> partsOf(TreePath path, ClassTree c) {
        List<Part> parts = new ArrayList<>();
        int start = -1;
        for (Tree member : c.getMembers()) {
            if (!u.written(member) || edit.isEnumConstant(path, member)) {
                continue;
            }
            if (parts.isEmpty() || u.start(member) != start) {
                Part p = new Part();
                // Comments before a member go with it, and so does the one at the end of its last line.
                p.from = parts.isEmpty() ? u.before(u.start(member)).to() : parts.get(parts.size() - 1).to;
                parts.add(p);
            }
            start = u.start(member);
            Part p = parts.get(parts.size() - 1);
            p.members.add(member);
            p.to = endOfLine(u.text, u.end(member));
        }
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).after.addAll(needed(path, parts, i));
        }
        return parts;
    }

    private static final Pattern COMMENT = Pattern.compile("[ \\t]*//[^\\r\\n]*");

    private static int endOfLine(String text, int at) {
        Matcher m = COMMENT.matcher(text).region(at, text.length());
        return m.lookingAt() ? m.end() : at;
    }

    /** The parts before the i-th that its initialisers look at. */
    private Set<Integer> needed(TreePath owner, List<Part> parts, int i) {
        Set<Integer> needed = new HashSet<>();
        Set<Element> named = new HashSet<>();
        boolean[] all = new boolean[1];
        for (Tree member : parts.get(i).members) {
            Tree code = member instanceof VariableTree v ? v.getInitializer() : member instanceof BlockTree ? member : null;
            if (code == null) {
                continue;
            }
            all[0] |= member instanceof BlockTree;
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitIdentifier(IdentifierTree t, Void none) {
                    Element e = edit.trees.getElement(getCurrentPath());
                    named.add(e);
                    // A method of this app, or what gets hold of "this", may look at any field.
                    all[0] |= t.getName().contentEquals("this") || e instanceof ExecutableElement && edit.isOurs(e);
                    return super.visitIdentifier(t, none);
                }

                @Override
                public Void visitMemberSelect(MemberSelectTree t, Void none) {
                    named.add(edit.trees.getElement(getCurrentPath()));
                    return super.visitMemberSelect(t, none);
                }

                @Override
                public Void visitClass(ClassTree t, Void none) {
                    return null; // runs later
                }
            }.scan(new TreePath(new TreePath(owner, member), code), null);
        }
        for (int j = 0; j < i; j++) {
            for (Tree member : parts.get(j).members) {
                boolean field = member instanceof VariableTree;
                boolean initialises = field ? ((VariableTree) member).getInitializer() != null : member instanceof BlockTree;
                if (field && named.contains(edit.trees.getElement(new TreePath(owner, member)))
                        || initialises && all[0]
                        || member instanceof BlockTree && parts.get(i).members.get(0) instanceof VariableTree v && v.getInitializer() != null) {
                    needed.add(j);
                }
            }
        }
        return needed;
    }

    /** A stretch of the file with the parts of every class in it in reverse, as far as they can be. */
    private String reorder(List<ClassBody> bodies, int from, int to) {
        StringBuilder b = new StringBuilder();
        int at = from;
        for (ClassBody body : bodies) {
            if (body.from() < at || body.to() > to) {
                continue;
            }
            b.append(u.text, at, body.from());
            List<Part> parts = body.parts();
            Set<Integer> done = new LinkedHashSet<>();
            while (done.size() < parts.size()) {
                for (int i = parts.size() - 1; i >= 0; i--) {
                    if (!done.contains(i) && done.containsAll(parts.get(i).after)) {
                        done.add(i);
                        break;
                    }
                }
            }
            for (int i : done) {
                b.append('\n').append(reorder(bodies, parts.get(i).from, parts.get(i).to).stripTrailing()).append('\n');
            }
            at = body.to();
        }
        return b.append(u.text, at, to).toString();
    }
}
