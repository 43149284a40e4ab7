package input

import (
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Origin says whose code a class of the build output is.
type Origin uint8

const (
	Dependency Origin = iota + 1 // a library's, compiled into the app
	App                          // the user's
)

func (o Origin) String() string {
	switch o {
	case Dependency:
		return "dependency"
	case App:
		return "app"
	}
	return "unknown"
}

// Origins answers, for the classes of one bundle, whether they are the app's
// or a dependency's. Read-only after it is made.
//
// The unit is the owner of a package: its first two names, which are a
// reversed domain (com.acme for com.acme.shop.cart), or one more where many
// share that domain (com.github.acme; origins.txt lists them). A module is not
// a smaller unit: com.acme.data, which no manifest mentions, is as much the
// team's code as com.acme.app. Published libraries listed in origins.txt have
// no owner; only the manifest's own package or --app-package can claim code
// inside them.
//
// Evidence that comes before owners, strongest first:
//   - --app-package: the package and everything below, whatever else says.
//   - A BuildConfig of the app's own build type, if that is not release, with everything below: a
//     module that was built with the app.
//   - The archive names the package's artifact (see artifact), and no root of the app lies in it: a
//     published library, though it may share the owner with the app.
//
// Evidence that claims an owner, strongest first:
//  1. --app-package.
//  2. The manifest's package, if classes live there; it is only an application
//     id, which may differ from the namespace. In a test APK also the package
//     under test and the package without ".test".
//  3. The Application class, launcher activities and instrumentation classes.
//  4. An R class whose owner also owns the manifest's package (a namespace of
//     which the application id is a variant). Other R classes prove nothing:
//     the build writes one for every library with resources.
//  5. Components of an owner that has more than half of the components, or
//     any components if 1 to 4 claim nothing. A merged manifest also holds
//     components of libraries, which must not make the libraries app code;
//     what is left out for this reason is said in Notes.
//  6. If nothing was claimed: the owner of the manifest's package if classes
//     live there, else the one owner of R classes, else all that is no
//     listed library. Findings in a library are better than none in the app.
//
// Components and Application count only if their class is in the bytecode.
type Origins struct {
	Notes []string // decisions a user may want to correct with --app-package

	packages  []string          // app code with everything below, if in no published library
	named     []string          // the same, whatever else says
	built     []string          // the same, by BuildConfig
	published map[string]string // packages of published libraries -> the artifact
	owners    map[string]string // owner -> the evidence
	all       bool              // case 6
}

// Origin is the origin of a class by its dotted name (com.acme.Main$1).
func (o *Origins) Origin(class string) Origin {
	pkg := packageOf(class)
	switch {
	case o.told(class):
		return App
	case o.publishedIn(pkg) != "":
		return Dependency
	case inside(class, o.packages):
		return App
	}
	if ownership.library(pkg) != "" {
		return Dependency
	}
	if _, ok := o.owners[ownership.owner(pkg)]; ok || o.all {
		return App
	}
	return Dependency
}

// told: the class is the app's whoever owns its package.
func (o *Origins) told(class string) bool { return inside(class, o.named) || inside(class, o.built) }

// Evidence lists what makes code app code, sorted, one line each.
func (o *Origins) Evidence() []string {
	var out []string
	for owner, why := range o.owners {
		out = append(out, owner+": "+why)
	}
	for _, p := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(o.named, o.packages)))) {
		out = append(out, p+": named as a package of the app")
	}
	for _, p := range o.built {
		out = append(out, p+": built with the app")
	}
	for p, a := range o.published {
		out = append(out, p+": the published library "+a)
	}
	sort.Strings(out)
	return out
}

// Origins decides whose the classes of the bundle are; classes are the dotted
// names of all classes defined in its bytecode, in any order, and types the build types that BuildConfig
// classes tell, by their packages.
func (b *Bundle) Origins(classes []string, types map[string]string) *Origins {
	e := evidence{
		Origins: &Origins{owners: make(map[string]string), published: make(map[string]string)},
		defined: make(map[string]bool, len(classes)),
		live:    make(map[string]bool),
	}
	e.named = slices.Clone(b.appPackages)
	for _, c := range classes {
		e.defined[c] = true
		for p := packageOf(c); p != "" && !e.live[p]; p = packageOf(p) {
			e.live[p] = true
		}
	}
	e.modules(types, roots(b.Manifests))
	e.libraries(b.artifacts, append(roots(b.Manifests), e.built...))
	for _, m := range b.Manifests {
		e.manifestPackage(m)
		e.entryClasses(m)
	}
	e.resourceClasses(b.Manifests)
	e.components(b.Manifests)
	e.lastResort(b.Manifests)
	slices.Sort(e.packages)
	e.packages = slices.Compact(e.packages)
	return e.Origins
}

// evidence collects the claims.
type evidence struct {
	*Origins
	defined    map[string]bool // classes
	live       map[string]bool // packages with classes in or below them
	namespaces []string        // packages of R classes that no library owns, sorted
}

func (e *evidence) none() bool {
	return len(e.owners) == 0 && len(e.packages) == 0 && len(e.named) == 0
}

// library is the library that pkg is in, listed or published; empty for none, and for what was built
// with the app.
func (e *evidence) library(pkg string) string {
	if inside(pkg, e.built) {
		return ""
	}
	if p := e.publishedIn(pkg); p != "" {
		return p
	}
	return ownership.library(pkg)
}

// claim makes the owner of pkg an owner of app code. The first reason stays.
func (e *evidence) claim(pkg, why string) {
	if pkg == "" || e.library(pkg) != "" {
		return
	}
	o := ownership.owner(pkg)
	if _, ok := e.owners[o]; !ok {
		e.owners[o] = why
	}
}

func (e *evidence) manifestPackage(m *Manifest) {
	names := []string{m.Package}
	for _, i := range m.Instrumentations {
		names = append(names, i.Target, strings.TrimSuffix(m.Package, ".test"))
	}
	for _, p := range names {
		if !e.live[p] {
			continue
		}
		if e.library(p) != "" {
			e.packages = append(e.packages, p)
		}
		e.claim(p, "package of the manifest")
	}
}

func (e *evidence) entryClasses(m *Manifest) {
	if e.defined[m.Application] {
		e.claim(packageOf(m.Application), "Application class "+m.Application)
	}
	for _, c := range m.Components {
		if c.Launcher && e.defined[c.Name] {
			e.claim(packageOf(c.Name), "launcher activity "+c.Name)
		}
	}
	for _, i := range m.Instrumentations {
		if e.defined[i.Name] {
			e.claim(packageOf(i.Name), "instrumentation "+i.Name)
		}
	}
}

// resourceClasses finds the packages of R classes and claims those that share
// their owner with a manifest's package.
func (e *evidence) resourceClasses(manifests []*Manifest) {
	seen := make(map[string]bool)
	for c := range e.defined {
		pkg, simple := packageOf(c), c[len(packageOf(c)):]
		simple = strings.TrimPrefix(simple, ".")
		if (simple == "R" || strings.HasPrefix(simple, "R$")) && pkg != "" && e.library(pkg) == "" {
			seen[pkg] = true
		}
	}
	for p := range seen {
		e.namespaces = append(e.namespaces, p)
	}
	sort.Strings(e.namespaces)
	for _, p := range e.namespaces {
		for _, m := range manifests {
			if ownership.owner(p) == ownership.owner(m.Package) {
				e.claim(p, "resource class "+p+".R")
			}
		}
	}
}

func (e *evidence) components(manifests []*Manifest) {
	count := make(map[string]int) // components by owner
	first := make(map[string]string)
	total := 0
	for _, m := range manifests {
		for _, c := range m.Components {
			pkg := packageOf(c.Name)
			if !e.defined[c.Name] || e.library(pkg) != "" {
				continue
			}
			total++
			if e.told(c.Name) {
				continue // it is the app's whoever owns its package
			}
			o := ownership.owner(pkg)
			if count[o]++; first[o] == "" {
				first[o] = c.Name
			}
		}
	}
	owners := make([]string, 0, len(count))
	for o := range count {
		owners = append(owners, o)
	}
	sort.Strings(owners)
	any := e.none()
	for _, o := range owners {
		switch _, ok := e.owners[o]; {
		case ok:
		case any || 2*count[o] > total:
			e.claim(packageOf(first[o]), "component "+first[o])
		default:
			e.Notes = append(e.Notes, fmt.Sprintf(
				"%s is taken for a dependency: %d of %d components, and neither the application nor a launcher activity is there; --app-package %s makes it app code",
				o, count[o], total, o))
		}
	}
}

func (e *evidence) lastResort(manifests []*Manifest) {
	for _, m := range manifests {
		if o := ownership.owner(m.Package); e.none() && e.live[o] && e.library(m.Package) == "" {
			e.claim(m.Package, "owner of the manifest's package")
		}
	}
	if e.none() && len(e.namespaces) > 0 {
		o := ownership.owner(e.namespaces[0])
		if !slices.ContainsFunc(e.namespaces, func(p string) bool { return ownership.owner(p) != o }) {
			e.claim(e.namespaces[0], "resource class "+e.namespaces[0]+".R")
		}
	}
	if e.all = e.none(); e.all {
		e.Notes = append(e.Notes, "nothing tells which code is the app's: all but well-known libraries is taken for it; name it with --app-package")
	}
}

// cleanPackage accepts com.acme, com.acme., com.acme.* and com.acme.**.
func cleanPackage(p string) string {
	return strings.TrimRight(strings.TrimSpace(p), ".*")
}

// packageOf is the part of a dotted name before its last dot.
func packageOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)]
}

// inside reports whether a dotted name is one of the packages or below it.
func inside(name string, packages []string) bool {
	return slices.ContainsFunc(packages, func(p string) bool { return within(name, p) })
}

// within reports whether a dotted name is pkg or below it.
func within(name, pkg string) bool {
	return strings.HasPrefix(name, pkg) && (len(name) == len(pkg) || name[len(pkg)] == '.' || name[len(pkg)] == '$')
}

//go:embed origins.txt
var originsText string

var ownership = parseOwnership(originsText)

// ownershipData is origins.txt.
type ownershipData struct {
	libraries, shared map[string]bool
}

func parseOwnership(text string) ownershipData {
	d := ownershipData{make(map[string]bool), make(map[string]bool)}
	for n, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0][0] == '#':
		case len(f) == 2 && f[0] == "library":
			d.libraries[f[1]] = true
		case len(f) == 2 && f[0] == "shared":
			d.shared[f[1]] = true
		default:
			panic(fmt.Sprintf("origins.txt:%d: expected library P or shared P, not %q", n+1, line))
		}
	}
	return d
}

// library is the listed library that pkg is in, or empty.
func (d ownershipData) library(pkg string) string {
	for i := 0; i <= len(pkg); i++ {
		if (i == len(pkg) || pkg[i] == '.') && d.libraries[pkg[:i]] {
			return pkg[:i]
		}
	}
	return ""
}

// owner is the owner of pkg: two names, or one more than a shared domain.
func (d ownershipData) owner(pkg string) string {
	names := 0
	for i := 0; i <= len(pkg); i++ {
		if i < len(pkg) && pkg[i] != '.' {
			continue
		}
		if names++; names >= 2 && !d.shared[pkg[:i]] {
			return pkg[:i]
		}
	}
	return pkg
}
