package main

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

// An expected outcome of the requests of a cluster of 4.17.9 in a channel, one after the other.
type expected struct {
	channel string
	// outcomes has updates, or the reason and message of a failure.
	outcomes []string
	least    time.Duration
}

var scenarios = []expected{
	{channel: "plain", outcomes: []string{"4.17.9 -> 4.17.10; 4.17.9 -> 4.18.1"}},
	{channel: "always", outcomes: []string{"4.17.9 -(risks: AffectsAll)-> 4.18.2; 4.17.9 -> 4.18.1"}},
	{channel: "matching", outcomes: []string{"4.17.9 -(risks: Matching)-> 4.18.2; 4.17.9 -> 4.18.1"}},
	{channel: "not-matching", outcomes: []string{
		"4.17.9 -(risks: NotMatching)-> 4.18.2; 4.17.9 -> 4.18.1"}},
	{channel: "unevaluable", outcomes: []string{"4.17.9 -(risks: TwoAnswers)-> 4.18.3; " +
		"4.17.9 -(risks: WithoutAnswer)-> 4.18.2; 4.17.9 -> 4.18.1"}},
	{channel: "many-risks", outcomes: []string{
		"4.17.9 -(risks: First, Second, Third, Fourth, Fifth)-> 4.18.2; 4.17.9 -> 4.18.1"}},
	{channel: "cut-off", outcomes: []string{"ResponseFailed: unexpected EOF"}},
	{channel: "slow", outcomes: []string{"4.17.9 -> 4.18.1"}, least: 2 * time.Second},
	{channel: "unavailable", outcomes: []string{
		"ResponseFailed: unexpected HTTP status: 503 Service Unavailable"}},
	{channel: "wrong-type", outcomes: []string{
		"ResponseInvalid: invalid character '<' looking for beginning of value"}},
	{channel: "empty", outcomes: []string{
		`VersionNotFound: currently reconciling cluster version 4.17.9 not found in the "empty" channel`}},
	{channel: "not-there", outcomes: []string{
		`VersionNotFound: currently reconciling cluster version 4.17.9 not found in the "not-there" channel`}},
	{channel: "Not-A-Channel", outcomes: []string{
		"ResponseFailed: unexpected HTTP status: 400 Bad Request"}},
	{channel: "changing", outcomes: []string{
		"4.17.9 -> 4.18.1",
		"4.17.9 -> 4.18.1",
		"4.17.9 -> 4.18.1; 4.17.9 -> 4.18.2",
		"4.17.9 -> 4.18.1; 4.17.9 -> 4.18.2",
		"4.17.9 -(risks: AffectsAll)-> 4.18.2; 4.17.9 -> 4.18.1",
		"4.17.9 -(risks: AffectsAll)-> 4.18.2; 4.17.9 -> 4.18.1",
	}},
}

// holdScenarios prints the outcome of each scenario, and returns how many are wrong.
func holdScenarios(upstream string) int {
	failed := 0
	for _, scenario := range scenarios {
		for _, wanted := range scenario.outcomes {
			cluster := cluster{upstream: upstream, channel: scenario.channel, arch: "amd64", version: "4.17.9"}
			started := time.Now()
			found := outcome(cluster)
			took := time.Since(started)
			if found == wanted && took >= scenario.least {
				fmt.Printf("%s: %s\n", scenario.channel, found)
				continue
			}
			failed++
			fmt.Printf("WRONG %s, after %v:\n  wanted %s\n  found  %s\n", scenario.channel, took, wanted, found)
		}
	}
	return failed + holdFlaky(upstream)
}

// holdFlaky asks often: about a third of the answers are errors.
func holdFlaky(upstream string) int {
	const asked = 60
	cluster := cluster{upstream: upstream, channel: "flaky", arch: "amd64", version: "4.17.9"}
	errors := 0
	for i := 0; i < asked; i++ {
		switch found := outcome(cluster); found {
		case "4.17.9 -> 4.18.1":
		case "ResponseFailed: unexpected HTTP status: 500 Internal Server Error":
			errors++
		default:
			fmt.Printf("WRONG flaky: %s\n", found)
			return 1
		}
	}
	if errors < asked/6 || errors > asked/2 {
		fmt.Printf("WRONG flaky: %d of %d requests failed\n", errors, asked)
		return 1
	}
	fmt.Printf("flaky: %d of %d requests failed\n", errors, asked)
	return 0
}

// outcome is one line: the updates, sorted, or the failure.
func outcome(cluster cluster) string {
	updates, err := cluster.updates()
	if err != nil {
		return err.Error()
	}
	var lines []string
	for _, update := range updates {
		lines = append(lines, update.String())
	}
	sort.Strings(lines)
	return strings.Join(lines, "; ")
}
