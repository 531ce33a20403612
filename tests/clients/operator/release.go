package main

import (
	"errors"
	"fmt"
	"net/url"
	"sort"
	"strings"
)

const (
	urlKey      = "url"
	archKey     = "release.openshift.io/architecture"
	channelsKey = "io.openshift.upgrades.graph.release.channels"
)

// checkMetadata returns what the operator objects to in the metadata of a release that matters to
// the cluster. One objection costs the cluster all its updates.
func checkMetadata(node node) error {
	var objections []string
	for key, check := range map[string]func(string) error{
		urlKey: checkURL, archKey: checkArch, channelsKey: checkChannels,
	} {
		value, isThere := node.Metadata[key]
		if !isThere {
			continue
		}
		text, isText := value.(string)
		if !isText {
			objections = append(objections, fmt.Sprintf("%s is not a string: %v", key, value))
		} else if err := check(text); err != nil {
			objections = append(objections, err.Error())
		}
	}
	if len(objections) == 0 {
		return nil
	}
	sort.Strings(objections)
	return errors.New(strings.Join(objections, "\n"))
}

func checkURL(text string) error {
	if _, err := url.Parse(text); err != nil {
		return fmt.Errorf("invalid release URL: %v", err)
	}
	return nil
}

func checkArch(text string) error {
	if text != "multi" {
		return fmt.Errorf("unrecognized %s value %q", archKey, text)
	}
	return nil
}

func checkChannels(text string) error {
	if text == "" {
		return fmt.Errorf("%s is an empty string", channelsKey)
	}
	for index, channel := range strings.Split(text, ",") {
		if channel == "" {
			return fmt.Errorf("%s entry %d is an empty string: %q", channelsKey, index, text)
		}
	}
	return nil
}
