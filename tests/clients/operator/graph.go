package main

import (
	"encoding/json"
	"fmt"
)

// graph is an answer of the service. The decoder ignores what the operator does not know.
type graph struct {
	Nodes            []node             `json:"nodes"`
	Edges            []edge             `json:"edges"`
	ConditionalEdges []conditionalEdges `json:"conditionalEdges"`
}

type node struct {
	Version  string                 `json:"version"`
	Payload  string                 `json:"payload"`
	Metadata map[string]interface{} `json:"metadata"`
}

type edge struct {
	origin      int
	destination int
}

type conditionalEdges struct {
	Edges []conditionalEdge `json:"edges"`
	Risks []risk            `json:"risks"`
}

type conditionalEdge struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type risk struct {
	URL           string         `json:"url"`
	Name          string         `json:"name"`
	Message       string         `json:"message"`
	MatchingRules []matchingRule `json:"matchingRules"`
}

type matchingRule struct {
	Type   string `json:"type"`
	PromQL *struct {
		PromQL string `json:"promql"`
	} `json:"promql"`
}

// UnmarshalJSON takes exactly two integers.
func (e *edge) UnmarshalJSON(data []byte) error {
	var fields []int
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	if len(fields) != 2 {
		return fmt.Errorf("expected 2 fields, found %d", len(fields))
	}
	e.origin, e.destination = fields[0], fields[1]
	return nil
}

// check looks at what the operator cannot survive anywhere in a graph.
func (g graph) check() error {
	for _, node := range g.Nodes {
		if _, err := parseVersion(node.Version); err != nil {
			return failure{"ResponseInvalid", err.Error()}
		}
	}
	for _, edge := range g.Edges {
		for _, index := range []int{edge.origin, edge.destination} {
			// The operator does not check this, and crashes.
			if index < 0 || index >= len(g.Nodes) {
				return failure{"ResponseInvalid", fmt.Sprintf("no node has the index %d", index)}
			}
		}
	}
	return nil
}

// find returns the first node that passes a test, or nil.
func (g graph) find(isWanted func(node) bool) *node {
	for index := range g.Nodes {
		if isWanted(g.Nodes[index]) {
			return &g.Nodes[index]
		}
	}
	return nil
}
