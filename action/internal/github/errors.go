package github

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Kind is what an answer means for what the Action does next.
type Kind int

const (
	Other      Kind = iota
	NotEnabled      // code scanning is not there for this repository
	Forbidden       // the token may not do this
	NotFound
	Invalid // GitHub does not take what was sent, or cannot make what was asked
	TooLarge
	Limited // rate limits that did not pass within our bounds
	Outage  // GitHub or the network failed; nothing was written, or it does not matter
	Unsure  // the same, of a write that may have happened
)

// Error is an answer of GitHub that is not what was asked for.
type Error struct {
	Kind   Kind
	Status int    // of HTTP; 0 if there was no answer
	What   string // method and path
	Text   string // what GitHub says, in one line
}

func (e *Error) Error() string {
	switch {
	case e.Status == 0:
		return fmt.Sprintf("GitHub: %s: %s", e.What, e.Text)
	default:
		return fmt.Sprintf("GitHub: %s: %d %s", e.What, e.Status, e.Text)
	}
}

// Is says whether an error is an answer of one of the kinds.
func Is(err error, kinds ...Kind) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	for _, k := range kinds {
		if e.Kind == k {
			return true
		}
	}
	return false
}

// Said is what GitHub says in an answer; "" if the error is none.
func Said(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Text
}

// reason turns what go-github says of a request into an Error.
func reason(req *http.Request, resp *github.Response, err error) error {
	if err == nil {
		return nil
	}
	e := &Error{What: req.Method + " " + req.URL.Path}
	var said *github.ErrorResponse
	var limited *github.RateLimitError
	var abuse *github.AbuseRateLimitError
	var refused *refusal
	var u *url.Error
	switch {
	case errors.As(err, &refused):
		e.Status, e.Text = refused.status, refused.why
		e.Kind = Limited
	case errors.As(err, &limited):
		e.Kind, e.Status, e.Text = Limited, http.StatusForbidden, limited.Message
	case errors.As(err, &abuse):
		e.Kind, e.Status, e.Text = Limited, http.StatusForbidden, abuse.Message
	case errors.As(err, &said):
		e.Status, e.Text = said.Response.StatusCode, strings.TrimSuffix(said.Message, ".")
		for _, detail := range said.Errors {
			e.Text += "; " + strings.TrimSpace(strings.Join([]string{detail.Resource, detail.Field, detail.Code, detail.Message}, " "))
		}
		e.Kind = kindOf(e.Status, e.Text)
	case errors.As(err, &u):
		e.Text, e.Kind = u.Err.Error(), Outage
	default:
		e.Text, e.Kind = err.Error(), Outage
	}
	if resp != nil && resp.Response != nil && resp.StatusCode >= 500 {
		e.Status, e.Kind = resp.StatusCode, Outage
	}
	if e.Kind == Outage && creates(req) {
		e.Kind = Unsure
	}
	if strings.Contains(e.Text, "which is refused") || strings.Contains(e.Text, "redirects") {
		e.Kind = Other
	}
	e.Text = oneLine(e.Text)
	return e
}

func kindOf(status int, message string) Kind {
	switch {
	case status == http.StatusForbidden && strings.Contains(message, "must be enabled"),
		status == http.StatusForbidden && strings.Contains(message, "not enabled"),
		status == http.StatusForbidden && strings.Contains(message, "is not available"):
		return NotEnabled
	case status == http.StatusForbidden, status == http.StatusUnauthorized:
		return Forbidden
	case status == http.StatusNotFound, status == http.StatusGone:
		return NotFound
	case status == http.StatusTooManyRequests:
		return Limited
	case status == http.StatusNotAcceptable, status == http.StatusRequestEntityTooLarge,
		status == http.StatusUnprocessableEntity && (strings.Contains(strings.ToLower(message), "diff") || strings.Contains(message, "too_large")):
		return TooLarge
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity, status == http.StatusConflict:
		return Invalid
	case status >= 500:
		return Outage
	}
	return Other
}

// oneLine keeps what a person can read of a text from outside.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 500 {
		s = strings.ToValidUTF8(s[:500], "") + "..."
	}
	if s == "" {
		return "no reason given"
	}
	return s
}
