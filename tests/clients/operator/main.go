// Command operator asks an update service as the cluster-version operator does, and prints what a
// cluster gets from it.
//
//	operator updates URL CHANNEL ARCH
//	operator to-multi URL CHANNEL VERSION
//	operator scenarios URL
//
// `updates` asks once for each release of the channel. `to-multi` asks for a cluster that changes
// its architecture. `scenarios` holds the answers to the built-in scenarios to what the operator
// has to make of them. It uses the standard library only, and nothing of exitpath.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
)

func main() {
	arguments := os.Args[1:]
	fail := func(format string, values ...interface{}) {
		fmt.Fprintf(os.Stderr, "operator: "+format+"\n", values...)
		os.Exit(1)
	}
	switch {
	case len(arguments) == 4 && arguments[0] == "updates":
		cluster := cluster{upstream: arguments[1], channel: arguments[2], arch: arguments[3]}
		if err := printUpdates(cluster); err != nil {
			fail("%v", err)
		}
	case len(arguments) == 4 && arguments[0] == "to-multi":
		cluster := cluster{upstream: arguments[1], channel: arguments[2], version: arguments[3]}
		cluster.arch, cluster.toMulti = "multi", true
		updates, err := cluster.updates()
		if err != nil {
			fail("%v", err)
		}
		for _, update := range updates {
			fmt.Println(update)
		}
	case len(arguments) == 2 && arguments[0] == "scenarios":
		if failed := holdScenarios(arguments[1]); failed > 0 {
			fail("%d outcomes differ", failed)
		}
	default:
		fail("usage: operator updates URL CHANNEL ARCH | to-multi URL CHANNEL VERSION | scenarios URL")
	}
}

// printUpdates prints the updates of all releases of a channel, one in a line, sorted.
func printUpdates(cluster cluster) error {
	releases, err := cluster.releases()
	if err != nil {
		return err
	}
	var lines []string
	for _, release := range releases {
		cluster.version = release
		updates, err := cluster.updates()
		if err != nil {
			return fmt.Errorf("a cluster of %s: %v", release, err)
		}
		for _, update := range updates {
			lines = append(lines, update.String())
		}
	}
	sort.Strings(lines)
	out := bufio.NewWriter(os.Stdout)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintf(os.Stderr, "operator: %d releases asked for %d updates\n", len(releases), len(lines))
	return out.Flush()
}
