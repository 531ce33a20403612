//! The addresses of an update service.

/// The prefix of the API's paths in production.
pub(crate) const API: &str = "/api/upgrades_info";

/// The URL of a part of the API, such as `/v1/graph`. `address` can be the URL of the service, of
/// its API, or of any part of it.
pub(crate) fn api_url(address: &str, part: &str) -> String {
    let last = part.rsplit_once('/').map_or(part, |(_, last)| last);
    if address.rsplit_once('/').is_some_and(|(_, known)| known == last) {
        return address.to_owned();
    }
    let parts = ["/graph", "/channels"];
    let base = parts.iter().find_map(|part| address.strip_suffix(part)).unwrap_or(address);
    let base = base.strip_suffix("/v1").unwrap_or(base);
    format!("{}{API}{part}", base.strip_suffix(API).unwrap_or(base))
}

#[cfg(test)]
mod tests {
    use super::api_url;

    #[test]
    fn any_address_of_a_service_is_enough() {
        for address in [
            "https://host",
            "https://host/api/upgrades_info",
            "https://host/api/upgrades_info/graph",
            "https://host/api/upgrades_info/v1/graph",
            "https://host/api/upgrades_info/channels",
        ] {
            let url = api_url(address, "/channels");
            assert_eq!(url, "https://host/api/upgrades_info/channels", "{address}");
        }
        let graph = "https://host/api/upgrades_info/v1/graph";
        assert_eq!(api_url("https://host/api/upgrades_info/channels", "/v1/graph"), graph);
        let prefixed = api_url("https://host/prefix/api/upgrades_info/v1/graph", "/channels");
        assert_eq!(prefixed, "https://host/prefix/api/upgrades_info/channels");
        // A service may have its graph elsewhere.
        assert_eq!(api_url("https://host/own/graph", "/v1/graph"), "https://host/own/graph");
    }
}
