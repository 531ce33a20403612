package main

import (
	"fmt"
	"strings"
)

// update is an update that the operator stores.
type update struct {
	from   string
	target node
	// risks is empty for an unconditional update.
	risks []risk
}

func (u update) String() string {
	if len(u.risks) == 0 {
		return fmt.Sprintf("%s -> %s", u.from, u.target.Version)
	}
	var names []string
	for _, risk := range u.risks {
		names = append(names, risk.Name)
	}
	return fmt.Sprintf("%s -(risks: %s)-> %s", u.from, strings.Join(names, ", "), u.target.Version)
}

// updates are those that the operator offers to the administrator of the cluster.
func (c cluster) updates() ([]update, error) {
	answer, err := c.fetch()
	if err != nil {
		return nil, err
	}
	current := answer.find(func(node node) bool { return isSameVersion(node.Version, c.version) })
	if current == nil {
		return nil, failure{"VersionNotFound", fmt.Sprintf(
			"currently reconciling cluster version %s not found in the %q channel", c.version, c.channel)}
	}
	if err := checkMetadata(*current); err != nil {
		return nil, failure{"ResponseInvalid", fmt.Sprintf("invalid current node: %v", err)}
	}
	if c.toMulti {
		return []update{{from: c.version, target: *current}}, nil
	}
	unconditional, err := c.unconditional(answer, current)
	if err != nil {
		return nil, err
	}
	conditional, err := c.conditional(answer)
	if err != nil {
		return nil, err
	}
	return merged(unconditional, conditional), nil
}

func (c cluster) unconditional(answer graph, current *node) ([]update, error) {
	var updates []update
	for _, edge := range answer.Edges {
		if &answer.Nodes[edge.origin] != current {
			continue
		}
		target := answer.Nodes[edge.destination]
		if err := checkMetadata(target); err != nil {
			return nil, failure{"ResponseInvalid", fmt.Sprintf("invalid recommended update node: %v", err)}
		}
		updates = append(updates, update{from: c.version, target: target})
	}
	return updates, nil
}

func (c cluster) conditional(answer graph) ([]update, error) {
	var updates []update
	for _, group := range answer.ConditionalEdges {
		for _, edge := range group.Edges {
			// Here, build metadata counts.
			if edge.From != c.version {
				continue
			}
			target := answer.find(func(node node) bool { return node.Version == edge.To })
			if target == nil {
				return nil, failure{"ResponseInvalid", "no node for conditional update " + edge.To}
			}
			if err := checkMetadata(*target); err != nil {
				return nil, failure{"ResponseInvalid", fmt.Sprintf("invalid conditional update node: %v", err)}
			}
			updates = append(updates, update{from: c.version, target: *target, risks: group.Risks})
		}
	}
	return updates, nil
}

// merged drops what the operator drops: unconditional updates to the image of a conditional one,
// risks that it cannot evaluate, with their updates, and images that several conditional updates
// lead to.
func merged(unconditional, conditional []update) []update {
	isConditional := map[string]bool{}
	for _, update := range conditional {
		isConditional[update.target.Payload] = true
	}
	var kept []update
	for _, update := range unconditional {
		if !isConditional[update.target.Payload] {
			kept = append(kept, update)
		}
	}
	var valid []update
	count := map[string]int{}
	for _, update := range conditional {
		if hasOnlyValidRisks(update) {
			valid = append(valid, update)
			count[update.target.Payload]++
		}
	}
	for _, update := range valid {
		if count[update.target.Payload] == 1 {
			kept = append(kept, update)
		}
	}
	return kept
}

// hasOnlyValidRisks says whether each risk has a rule that the operator can evaluate.
func hasOnlyValidRisks(update update) bool {
	for _, risk := range update.risks {
		valid := 0
		for _, rule := range risk.MatchingRules {
			if rule.isValid() {
				valid++
			}
		}
		if valid == 0 {
			return false
		}
	}
	return true
}

func (r matchingRule) isValid() bool {
	switch r.Type {
	case "Always":
		return r.PromQL == nil
	case "PromQL":
		return r.PromQL != nil && r.PromQL.PromQL != ""
	default:
		return false
	}
}
