package input

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Open reads the build outputs at paths into one Bundle.
func Open(ctx context.Context, paths []string, opts Options) (*Bundle, error) {
	if len(paths) == 0 {
		return nil, errors.New("no build output named; name an APK file")
	}
	b := &Bundle{Name: filepath.Base(paths[0])}
	for _, p := range opts.AppPackages {
		clean := cleanPackage(p)
		if clean == "" {
			return nil, fmt.Errorf("app package \"%s\" names no package; expected one such as com.acme.app", oneLine(p))
		}
		b.appPackages = append(b.appPackages, clean)
	}
	for i, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if slices.Contains(paths[:i], p) {
			return nil, &Error{File: p, Offset: -1, Reason: "is named twice; name each build output once"}
		}
		if err := b.openAPK(ctx, p); err != nil {
			return nil, err
		}
	}
	return b.finish(paths[0])
}

// finish settles what needs all build outputs.
func (b *Bundle) finish(first string) (*Bundle, error) {
	if len(b.Dex) == 0 {
		return nil, &Error{File: first, Offset: -1, Reason: "has no classes.dex; expected an APK with bytecode"}
	}
	b.Manifest = mergeManifests(b.Manifests)
	for _, l := range []*[]Layout{&b.Layouts, &b.Menus, &b.Preferences} {
		sort.SliceStable(*l, func(i, j int) bool {
			if (*l)[i].ID != (*l)[j].ID {
				return (*l)[i].ID < (*l)[j].ID
			}
			return (*l)[i].File < (*l)[j].File
		})
	}
	return b, nil
}

func (b *Bundle) openAPK(ctx context.Context, path string) error {
	a, err := openArchive(path)
	if err != nil {
		return err
	}
	defer a.Close()
	return b.addAPK(ctx, a)
}

func (b *Bundle) addAPK(ctx context.Context, a *archive) error {
	r := apkReader{Bundle: b, archive: a}
	if err := r.isAPK(); err != nil {
		return err
	}
	r.noteArtifacts()
	if err := r.resources(); err != nil {
		return err
	}
	if err := r.manifest(); err != nil {
		return err
	}
	if err := r.dex(); err != nil {
		return err
	}
	return r.screens(ctx)
}

// apkReader adds the parts of one APK to a bundle.
type apkReader struct {
	*Bundle
	*archive
	res      *table // nil if the APK has no resources.arsc
	codeless bool   // the manifest says that no bytecode belongs to this APK
	skipped  int    // problems of this APK
}

// isAPK tells other build outputs from APKs by what they hold.
func (r *apkReader) isAPK() error {
	if r.byName[manifestName] != nil {
		if r.byName["classes.jar"] != nil {
			return r.fail("is an AAR (it holds classes.jar); expected an APK")
		}
		return nil
	}
	if r.byName["BundleConfig.pb"] != nil {
		return r.fail("is an app bundle (it holds BundleConfig.pb); expected an APK, which bundletool or the assemble task builds")
	}
	for _, f := range r.entries {
		if strings.HasSuffix(f.Name, ".class") {
			return r.fail("is a JAR (it holds " + oneLine(f.Name) + "); expected an APK")
		}
	}
	return r.fail("has no AndroidManifest.xml; expected an APK")
}

func (r *apkReader) fail(reason string) error {
	return &Error{File: r.path, Offset: -1, Reason: reason}
}

// located names file and entry in an error of a decoder.
func (r *apkReader) located(entry string, err error) error {
	var b *badData
	if errors.As(err, &b) {
		return &Error{File: r.path, Entry: entry, Offset: int64(b.offset), Reason: b.reason}
	}
	return err
}

// problem records what was skipped. A hostile table can name any number of
// files, so that only the first are told apart.
func (r *apkReader) problem(entry string, err error) {
	const most = 100
	if r.skipped++; r.skipped > most {
		if r.skipped == most+1 {
			r.Problems = append(r.Problems, Problem{r.path, "", fmt.Sprintf("more than %d parts could not be used; the rest is not listed", most)})
		}
		return
	}
	reason := err.Error()
	var e *Error
	if errors.As(err, &e) {
		reason = e.Reason
		if e.Offset >= 0 {
			reason = fmt.Sprintf("offset %#x: %s", e.Offset, e.Reason)
		}
	}
	r.Problems = append(r.Problems, Problem{r.path, oneLine(entry), reason})
}

// dexNumber is the place of a dex entry in load order, 0 for other entries.
func dexNumber(name string) int {
	mid, ok := strings.CutPrefix(name, "classes")
	if !ok {
		return 0
	}
	if mid, ok = strings.CutSuffix(mid, ".dex"); !ok {
		return 0
	}
	if mid == "" {
		return 1
	}
	n, err := strconv.Atoi(mid)
	if err != nil || n < 2 || strconv.Itoa(n) != mid {
		return 0
	}
	return n
}

func (r *apkReader) dex() error {
	var found []*zip.File
	for _, f := range r.entries {
		switch {
		case dexNumber(f.Name) > 0:
			found = append(found, f)
		case strings.HasSuffix(f.Name, ".dex") && !strings.Contains(f.Name, "/"):
			r.problem(f.Name, errors.New("is not loaded: bytecode is in classes.dex, classes2.dex and so on"))
		}
	}
	slices.SortFunc(found, func(x, y *zip.File) int { return dexNumber(x.Name) - dexNumber(y.Name) })
	if len(found) == 0 && !r.codeless {
		return r.fail("has no classes.dex; expected an APK with bytecode")
	}
	for i, f := range found {
		if n := dexNumber(f.Name); n != i+1 {
			// The platform stops at the first gap; what lies behind it never runs.
			r.problem(f.Name, fmt.Errorf("is not loaded: classes%s.dex is missing before it", number(i+1)))
			continue
		}
		data, err := r.read(f)
		if err != nil {
			return err
		}
		r.Dex = append(r.Dex, DexFile{filepath.Base(r.path) + "!" + f.Name, data})
	}
	return nil
}

func number(n int) string {
	if n == 1 {
		return ""
	}
	return strconv.Itoa(n)
}

const tableName = "resources.arsc"

func (r *apkReader) resources() error {
	f := r.byName[tableName]
	if f == nil {
		for _, e := range r.entries {
			if strings.HasPrefix(e.Name, "res/") {
				r.problem(tableName, &badData{reason: "is missing, so that the files in res/ have no names: callbacks of layouts are not known"})
				break
			}
		}
		return nil
	}
	data, err := r.read(f)
	if err != nil {
		return err
	}
	if r.res, err = readTable(data); err != nil {
		return r.located(f.Name, err)
	}
	r.tables = append(r.tables, r.res)
	return nil
}

const manifestName = "AndroidManifest.xml"

func (r *apkReader) manifest() error {
	elements, err := r.xml(r.byName[manifestName])
	if err != nil {
		return err
	}
	m, err := readManifest(elements, r.res)
	if err != nil {
		return r.located(manifestName, err)
	}
	m.File = r.path
	r.Manifests = append(r.Manifests, m)
	r.codeless = m.codeless
	return nil
}

func (r *apkReader) xml(f *zip.File) ([]element, error) {
	data, err := r.read(f)
	if err != nil {
		return nil, err
	}
	elements, err := readXML(data)
	return elements, r.located(f.Name, err)
}

// screens reads layouts, menus and preferences. A file that cannot be read is
// a Problem: its callbacks are missing, all else is sound.
func (r *apkReader) screens(ctx context.Context) error {
	if r.res == nil {
		return nil
	}
	for _, s := range []struct {
		kind string
		read func([]element) []View
		to   *[]Layout
	}{
		{"layout", readViews, &r.Layouts},
		{"menu", readMenu, &r.Menus},
		{"xml", readPreferences, &r.Preferences},
	} {
		files, err := r.res.files(s.kind)
		if err != nil {
			return r.located(tableName, err)
		}
		views := make(map[string][]View) // by path: resources may share a file
		for _, file := range files {
			if err := ctx.Err(); err != nil {
				return err
			}
			v, seen := views[file.path]
			if !seen {
				v = r.screen(file, s.kind, s.read)
				views[file.path] = v
			}
			if len(v) > 0 {
				*s.to = append(*s.to, Layout{file.id, file.name, file.path, v})
			}
		}
	}
	return nil
}

// screen reads one file; nil if it is no screen or cannot be read.
func (r *apkReader) screen(file resourceFile, kind string, read func([]element) []View) []View {
	f := r.byName[file.path]
	if f == nil {
		r.problem(file.path, fmt.Errorf("named by resource %s but not in the archive", oneLine(file.name)))
		return nil
	}
	elements, err := r.xml(f)
	if err != nil {
		r.problem(f.Name, err)
		return nil
	}
	if kind == "xml" && !strings.HasSuffix(elements[0].name, "PreferenceScreen") {
		return nil
	}
	return read(elements)
}

// mergeManifests makes one manifest of those of an app, its splits and its
// tests: the first names the app, components of all count.
func mergeManifests(all []*Manifest) *Manifest {
	m := *all[0]
	m.Components = slices.Clone(m.Components)
	m.Instrumentations = slices.Clone(m.Instrumentations)
	type class struct {
		kind ComponentKind
		name string
	}
	seen := make(map[class]bool)
	for _, c := range m.Components {
		seen[class{c.Kind, c.Name}] = true
	}
	for _, o := range all[1:] {
		if m.Application == "" {
			m.Application = o.Application
		}
		m.MinSDK = max(m.MinSDK, o.MinSDK)
		m.TargetSDK = max(m.TargetSDK, o.TargetSDK)
		m.Debuggable = m.Debuggable || o.Debuggable
		m.Instrumentations = append(m.Instrumentations, o.Instrumentations...)
		for _, c := range o.Components {
			if k := (class{c.Kind, c.Name}); !seen[k] {
				seen[k] = true
				m.Components = append(m.Components, c)
			}
		}
	}
	return &m
}
