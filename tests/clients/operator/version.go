package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A version by the rules of SemVer 2.0.0: no leading zeros, and no empty identifiers.
var versionPattern = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?` +
	`(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`)

// parseVersion returns the part of a version that counts when versions are compared.
func parseVersion(text string) (string, error) {
	if !versionPattern.MatchString(text) {
		return "", fmt.Errorf("%q is not a semantic version", text)
	}
	return strings.SplitN(text, "+", 2)[0], nil
}

// isSameVersion ignores build metadata.
func isSameVersion(one, other string) bool {
	left, err := parseVersion(one)
	if err != nil {
		return false
	}
	right, err := parseVersion(other)
	return err == nil && left == right
}
