package main

import (
	"encoding/json"
	"fmt"
	"io/ioutil"
	"net/http"
	"net/url"
	"time"
)

// cluster is what the operator knows when it asks.
type cluster struct {
	upstream string
	channel  string
	// arch is the desired architecture, as the service calls it.
	arch    string
	version string
	// toMulti is set while the cluster changes from one architecture to all.
	toMulti bool
}

// failure is why there are no updates, as the condition RetrievedUpdates has it.
type failure struct {
	reason  string
	message string
}

func (f failure) Error() string {
	return f.reason + ": " + f.message
}

var client = &http.Client{Timeout: time.Minute}

const clusterID = "0b5e6a4d-9b6a-4a7e-8f36-3c1f2a7d9e10"

// fetch asks for the graph of the channel.
func (c cluster) fetch() (graph, error) {
	var answer graph
	address, err := url.Parse(c.upstream)
	if err != nil {
		return answer, failure{"InvalidURI", fmt.Sprintf("failed to parse update service URL: %v", err)}
	}
	parameters := address.Query()
	parameters.Add("arch", c.arch)
	parameters.Add("channel", c.channel)
	parameters.Add("id", clusterID)
	parameters.Add("version", c.version)
	// Encode sorts by the names.
	address.RawQuery = parameters.Encode()
	request, err := http.NewRequest("GET", address.String(), nil)
	if err != nil {
		return answer, failure{"InvalidRequest", err.Error()}
	}
	request.Header.Add("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return answer, failure{"RemoteFailed", err.Error()}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return answer, failure{"ResponseFailed", "unexpected HTTP status: " + response.Status}
	}
	body, err := ioutil.ReadAll(response.Body)
	if err != nil {
		return answer, failure{"ResponseFailed", err.Error()}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return answer, failure{"ResponseInvalid", err.Error()}
	}
	return answer, answer.check()
}

// releases are the versions in the channel, in the order of the graph.
func (c cluster) releases() ([]string, error) {
	answer, err := c.fetch()
	if err != nil {
		return nil, err
	}
	var versions []string
	for _, node := range answer.Nodes {
		versions = append(versions, node.Version)
	}
	return versions, nil
}
