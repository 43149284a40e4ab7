package input

import (
	"slices"
	"strings"
)

// artifact is a published library that an archive names: by the properties that Maven puts into a JAR
// (META-INF/maven/GROUP/NAME/pom.properties) or by the version that the Android build puts into an AAR
// (META-INF/GROUP_NAME.version). The build merges both into the APK. A module of the app has neither.
type artifact struct {
	group, name string
}

func (a artifact) String() string { return a.group + ":" + a.name }

// artifactOf is the artifact that an entry of an archive names; ok is false if it names none.
func artifactOf(entry string) (a artifact, ok bool) {
	rest, ok := strings.CutPrefix(entry, "META-INF/")
	if !ok {
		return artifact{}, false
	}
	if coordinates, ok := strings.CutPrefix(rest, "maven/"); ok {
		parts := strings.Split(coordinates, "/")
		if len(parts) != 3 || parts[2] != "pom.properties" && parts[2] != "pom.xml" {
			return artifact{}, false
		}
		a = artifact{parts[0], parts[1]}
	} else if file, ok := strings.CutSuffix(rest, ".version"); ok && !strings.Contains(file, "/") {
		a.group, a.name, _ = strings.Cut(file, "_")
	}
	return a, strings.Contains(a.group, ".") && a.name != ""
}

// noteArtifacts keeps what the archive says of published libraries.
func (r *apkReader) noteArtifacts() {
	for _, f := range r.entries {
		if a, ok := artifactOf(f.Name); ok && !slices.Contains(r.artifacts, a) && len(r.artifacts) < maxArtifacts {
			r.artifacts = append(r.artifacts, a)
		}
	}
}

// maxArtifacts bounds the published libraries that an archive may name.
const maxArtifacts = 2000

// libraries finds the packages of the artifacts: below the group the one that is called as the artifact,
// or as the end of its name, whatever stands for its hyphens; else the group. A package in which the app's
// own root lies is none, since Maven can build apps, too.
func (e *evidence) libraries(artifacts []artifact, roots []string) {
	for _, a := range artifacts {
		for _, p := range append(a.packages(), a.group) {
			app := slices.ContainsFunc(roots, func(root string) bool { return within(root, p) })
			if !e.live[p] || app || ownership.library(p) != "" {
				continue
			}
			if e.published[p] == "" {
				e.published[p] = a.String()
			}
			break
		}
	}
}

// packages are the names that the package of an artifact may have below its group: of org.foo:foo-lib-core
// org.foo.foo.lib.core, org.foo.foolibcore, org.foo.lib.core and so on, the longest first.
func (a artifact) packages() (out []string) {
	words := strings.FieldsFunc(a.name, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	for len(words) > 0 {
		for _, between := range []string{".", "", "_"} {
			if p := a.group + "." + strings.Join(words, between); !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
		words = words[1:]
	}
	return out
}

// publishedIn is the package of a published library that pkg is in, or empty.
func (o *Origins) publishedIn(pkg string) string {
	for ; pkg != ""; pkg = packageOf(pkg) {
		if o.published[pkg] != "" {
			return pkg
		}
	}
	return ""
}

// roots are the packages that are the app's by its manifest: its own, and those of what is started first.
func roots(manifests []*Manifest) (out []string) {
	for _, m := range manifests {
		out = append(out, m.Package, packageOf(m.Application))
		for _, c := range m.Components {
			if c.Launcher {
				out = append(out, packageOf(c.Name))
			}
		}
		for _, i := range m.Instrumentations {
			out = append(out, i.Target, packageOf(i.Name))
		}
	}
	return slices.DeleteFunc(out, func(p string) bool { return p == "" })
}

// modules claims the packages that were built with the app: Gradle gives each module it builds a
// BuildConfig of the type that is built. Published libraries are of type release, so only other
// types tell.
func (e *evidence) modules(types map[string]string, roots []string) {
	own := ""
	for _, p := range roots {
		if t := types[p]; t != "" && t != "release" {
			own = t
		}
	}
	for p, t := range types {
		if t == own && own != "" {
			e.built = append(e.built, p)
		}
	}
	slices.Sort(e.built)
}
