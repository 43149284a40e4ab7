package fakegithub

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// Processing is what becomes of an upload.
type Processing struct {
	Pending int      `json:"pending,omitempty"` // how many questions, for its status or for analyses, find it unfinished
	Errors  []string `json:"errors,omitempty"`  // why it fails; none: it is complete, unless the file itself is at fault
}

// Processing says what becomes of the uploads from now on.
func (r *Repo) Processing(p Processing) { r.change(func() { r.processing = p }) }

// Analysis is what code scanning made of one run of an upload.
type Analysis struct {
	ID       int64           `json:"id"`
	Upload   string          `json:"sarif_id"`
	Ref      string          `json:"ref"`
	Commit   string          `json:"commit_sha"`
	Tool     string          `json:"tool"`
	Version  string          `json:"version,omitempty"`
	Category string          `json:"category"`
	Results  int             `json:"results"`
	Rules    int             `json:"rules"`
	SARIF    json.RawMessage `json:"sarif"` // of the whole upload
}

type upload struct {
	id       string
	pending  int
	errors   []string
	analyses []*Analysis
}

// Analyses are those of finished uploads, the oldest first.
func (r *Repo) Analyses() []*Analysis {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.analyses()
}

func (r *Repo) analyses() []*Analysis {
	var all []*Analysis
	for _, u := range r.uploads {
		if u.pending <= 0 && len(u.errors) == 0 {
			all = append(all, u.analyses...)
		}
	}
	return all
}

// Uploads is how many SARIF files were accepted, whatever became of them.
func (r *Repo) Uploads() int {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return len(r.uploads)
}

// GitHub's limits of an upload. That of the compressed file is in bytes.
const (
	maxSARIF    = 10 << 20
	maxInflated = 1 << 30
	maxRuns     = 20
	maxResults  = 25000
)

// sarif is what the fake looks at in a file.
type sarif struct {
	Version string `json:"version"`
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name    string            `json:"name"`
				Version string            `json:"version"`
				Rules   []json.RawMessage `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		AutomationDetails struct {
			ID string `json:"id"`
		} `json:"automationDetails"`
		Results []struct {
			Message struct {
				Text string `json:"text"`
			} `json:"message"`
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct {
						URI string `json:"uri"`
					} `json:"artifactLocation"`
				} `json:"physicalLocation"`
			} `json:"locations"`
		} `json:"results"`
	} `json:"runs"`
}

type uploadBody struct {
	Commit string `json:"commit_sha"`
	Ref    string `json:"ref"`
	SARIF  string `json:"sarif"`
}

func (s *Server) uploadSARIF(q *request) response {
	if q.repo.scanning != "" {
		return fail(http.StatusForbidden, q.repo.scanning)
	}
	b, bad := readBody[uploadBody](q)
	if bad != nil {
		return *bad
	}
	if q.repo.resolve(b.Ref) == "" || !strings.HasPrefix(b.Ref, "refs/") {
		return fail(http.StatusNotFound, fmt.Sprintf("ref '%s' not found in this repository", b.Ref))
	}
	if _, ok := q.repo.commits[b.Commit]; !ok {
		return fail(http.StatusNotFound, "commit not found")
	}
	raw, bad := inflate(b.SARIF)
	if bad != nil {
		return *bad
	}
	var file sarif
	if err := json.Unmarshal(raw, &file); err != nil {
		return fail(http.StatusBadRequest, "Invalid SARIF. JSON syntax error: "+err.Error())
	}
	if len(file.Runs) == 0 {
		return fail(http.StatusUnprocessableEntity, "Invalid SARIF. 1 item required; only 0 were supplied.")
	}
	n := s.id()
	sum := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "upload %d", n)))
	u := &upload{
		id:      strings.Join([]string{sum[:8], sum[8:12], sum[12:16], sum[16:20], sum[20:32]}, "-"),
		pending: q.repo.processing.Pending, errors: append(file.faults(), q.repo.processing.Errors...),
	}
	for _, run := range file.Runs {
		u.analyses = append(u.analyses, &Analysis{
			ID: s.id(), Upload: u.id, Ref: b.Ref, Commit: b.Commit, SARIF: raw,
			Tool: run.Tool.Driver.Name, Version: run.Tool.Driver.Version, Category: category(run.AutomationDetails.ID),
			Results: len(run.Results), Rules: len(run.Tool.Driver.Rules),
		})
	}
	q.repo.uploads = append(q.repo.uploads, u)
	return response{status: http.StatusAccepted, body: object{
		"id": u.id, "url": fmt.Sprintf("%s/repos/%s/code-scanning/sarifs/%s", s.base, q.repo.name, u.id),
	}}
}

// inflate undoes base64 and gzip.
func inflate(text string) ([]byte, *response) {
	refuse := func(status int, message string) ([]byte, *response) {
		a := fail(status, message)
		return nil, &a
	}
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return refuse(http.StatusBadRequest, "Invalid SARIF. The file is not valid base64.")
	}
	if len(packed) > maxSARIF {
		return refuse(http.StatusRequestEntityTooLarge, "SARIF upload is too large: the limit is 10 MB of gzip.")
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return refuse(http.StatusBadRequest, "Invalid SARIF. The file is not valid gzip.")
	}
	raw, err := io.ReadAll(io.LimitReader(z, maxInflated))
	if err != nil {
		return refuse(http.StatusBadRequest, "Invalid SARIF. The file is not valid gzip.")
	}
	return raw, nil
}

// category is the part of a run's id that code scanning keeps apart.
func category(id string) string { return id[:strings.LastIndex(id, "/")+1] }

// faults are the reasons for which processing fails whatever the test wants.
func (f sarif) faults() []string {
	var list []string
	if f.Version != "2.1.0" {
		list = append(list, fmt.Sprintf("unsupported SARIF version %q", f.Version))
	}
	if len(f.Runs) > maxRuns {
		list = append(list, fmt.Sprintf("maximum number of runs exceeded (%d > %d)", len(f.Runs), maxRuns))
	}
	var seen []string
	for _, run := range f.Runs {
		key := run.Tool.Driver.Name + "\n" + run.AutomationDetails.ID
		if slices.Contains(seen, key) {
			list = append(list, "multiple SARIF runs with the same category")
		}
		seen = append(seen, key)
		if run.Tool.Driver.Name == "" {
			list = append(list, "expected a tool name")
		}
		if len(run.Results) > maxResults {
			list = append(list, fmt.Sprintf("maximum number of results exceeded (%d > %d)", len(run.Results), maxResults))
		}
		for _, r := range run.Results {
			switch {
			case len(r.Locations) == 0:
				list = append(list, "locationFromSarifResult: expected at least one location")
			case r.Locations[0].PhysicalLocation.ArtifactLocation.URI == "":
				list = append(list, "locationFromSarifResult: expected artifact location")
			case r.Message.Text == "":
				list = append(list, "expected a message")
			}
		}
	}
	return slices.Compact(list)
}

// tick lets time pass for uploads.
func (r *Repo) tick() {
	for _, u := range r.uploads {
		u.pending--
	}
}

func (s *Server) getSARIF(q *request) response {
	if q.repo.scanning != "" {
		return fail(http.StatusForbidden, q.repo.scanning)
	}
	i := slices.IndexFunc(q.repo.uploads, func(u *upload) bool { return u.id == q.params["sarif_id"] })
	if i < 0 {
		return fail(http.StatusNotFound, "Not Found")
	}
	u := q.repo.uploads[i]
	o := object{"processing_status": "pending"}
	switch {
	case u.pending > 0:
	case len(u.errors) > 0:
		o["processing_status"], o["errors"] = "failed", u.errors
	default:
		o["processing_status"] = "complete"
		o["analyses_url"] = fmt.Sprintf("%s/repos/%s/code-scanning/analyses?sarif_id=%s", s.base, q.repo.name, u.id)
	}
	q.repo.tick()
	return response{status: http.StatusOK, body: o}
}

func (s *Server) listAnalyses(q *request) response {
	if q.repo.scanning != "" {
		return fail(http.StatusForbidden, q.repo.scanning)
	}
	full := func(ref string) string {
		if strings.HasPrefix(ref, "refs/") {
			return ref
		}
		return "refs/heads/" + ref
	}
	all, list := q.repo.analyses(), []object{}
	for _, a := range slices.Backward(all) {
		ref, tool, id := q.Query.Get("ref"), q.Query.Get("tool_name"), q.Query.Get("sarif_id")
		if ref != "" && full(ref) != a.Ref || tool != "" && tool != a.Tool || id != "" && id != a.Upload {
			continue
		}
		list = append(list, object{
			"ref": a.Ref, "commit_sha": a.Commit, "analysis_key": "(default)", "environment": "{}", "category": a.Category,
			"error": "", "warning": "", "created_at": instant(a.ID), "results_count": a.Results, "rules_count": a.Rules,
			"id": a.ID, "url": fmt.Sprintf("%s/repos/%s/code-scanning/analyses/%d", s.base, q.repo.name, a.ID), "sarif_id": a.Upload,
			"tool": object{"name": a.Tool, "guid": nil, "version": a.Version}, "deletable": true,
		})
	}
	q.repo.tick()
	some, header := page(q, s.base, list)
	if len(all) == 0 { // in the whole repository
		return fail(http.StatusNotFound, "no analysis found")
	}
	return response{status: http.StatusOK, header: header, body: some}
}
