package github

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Upload is a SARIF file for code scanning.
type Upload struct {
	SARIF    []byte
	Category string // its automation id, with the slash at its end
	Ref      string // full name
	Commit   string
	Tool     string
}

// Upload hands a file over and returns the id under which GitHub processes it. A
// later upload of a category replaces an earlier one for the commit, so nothing
// is ever doubled by one that is sent again; but where a failure leaves its fate
// open, GitHub is asked first, as the file may be large.
func (c *Client) Upload(ctx context.Context, u Upload) (id string, err error) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(u.SARIF) // a buffer does not fail
	w.Close()
	body := map[string]string{
		"commit_sha": u.Commit, "ref": u.Ref, "tool_name": u.Tool, "sarif": base64.StdEncoding.EncodeToString(z.Bytes()),
	}
	results := resultsOf(u.SARIF)
	for n := 1; ; n++ {
		var made struct {
			ID string `json:"id"`
		}
		_, err = c.send(ctx, http.MethodPost, c.path("code-scanning/sarifs"), body, &made)
		if err == nil || !Is(err, Unsure) || n == attempts {
			return made.ID, err
		}
		if e := c.transport.sleep(ctx, pause<<n); e != nil {
			return "", e
		}
		if id, ok := c.arrived(ctx, u, results); ok {
			return id, nil
		}
	}
}

// resultsOf counts the results of a SARIF file.
func resultsOf(sarif []byte) int {
	var file struct {
		Runs []struct {
			Results []struct{} `json:"results"`
		} `json:"runs"`
	}
	n := 0
	if json.Unmarshal(sarif, &file) == nil {
		for _, r := range file.Runs {
			n += len(r.Results)
		}
	}
	return n
}

// arrived: GitHub has an analysis of the commit in the category. One of an earlier
// run on the same commit may have found something else: it has as many results, or
// the file is sent again.
func (c *Client) arrived(ctx context.Context, u Upload, results int) (id string, ok bool) {
	query := url.Values{"ref": {u.Ref}, "tool_name": {u.Tool}, "per_page": {"100"}}
	var list []struct {
		Commit   string `json:"commit_sha"`
		Category string `json:"category"`
		SARIF    string `json:"sarif_id"`
		Results  int    `json:"results_count"`
	}
	if _, err := c.send(ctx, http.MethodGet, c.path("code-scanning/analyses?%s", query.Encode()), nil, &list); err != nil {
		return "", false
	}
	for _, a := range list {
		if a.Commit == u.Commit && a.Results == results && strings.TrimSuffix(a.Category, "/") == strings.TrimSuffix(u.Category, "/") {
			return a.SARIF, true
		}
	}
	return "", false
}

// Processing is what became of an upload.
type Processing struct {
	Done   bool
	Errors []string // why GitHub refuses the file, if it does
}

// Processing asks once how far GitHub is with an upload.
func (c *Client) Processing(ctx context.Context, id string) (Processing, error) {
	var got struct {
		Status string   `json:"processing_status"`
		Errors []string `json:"errors"`
	}
	_, err := c.send(ctx, http.MethodGet, c.path("code-scanning/sarifs/%s", url.PathEscape(id)), nil, &got)
	if Is(err, NotFound) { // it is not there at once
		return Processing{}, nil
	}
	p := Processing{Done: got.Status == "complete" || got.Status == "failed"}
	if got.Status == "failed" {
		p.Errors = append(p.Errors, got.Errors...)
		if len(p.Errors) == 0 {
			p.Errors = []string{"GitHub gives no reason"}
		}
	}
	return p, err
}

// Wait asks how far GitHub is with uploads until all are done or the pauses are
// over, and gives what is known of each, in their order. An upload that GitHub
// cannot be asked about has an error.
func (c *Client) Wait(ctx context.Context, ids []string, pauses ...time.Duration) ([]Processing, []error) {
	known, failed := make([]Processing, len(ids)), make([]error, len(ids))
	for _, d := range pauses {
		waits := false
		for i := range ids {
			waits = waits || !known[i].Done && failed[i] == nil
		}
		if !waits || c.transport.sleep(ctx, d) != nil {
			break
		}
		for i, id := range ids {
			if !known[i].Done && failed[i] == nil {
				known[i], failed[i] = c.Processing(ctx, id)
			}
		}
	}
	return known, failed
}
