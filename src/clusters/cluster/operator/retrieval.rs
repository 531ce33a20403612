//! What the operator got from the update service.

use crate::go;

use super::super::object::{Condition, parse_version};
use super::super::offer::{Offer, Recipient};
use super::super::{Log, Refusal};
use super::service::{self, Request, Response};
use super::{Settings, Surroundings};

const KIND: &str = "RetrievedUpdates";

/// What the operator got from the update service.
#[derive(Clone, Debug)]
pub(super) struct Retrieval {
    pub(super) origin: Origin,
    pub(super) offer: Offer,
    /// The condition `RetrievedUpdates`.
    pub(super) condition: Condition,
    /// When it last asked.
    pub(super) attempted: i64,
    /// When it last succeeded, or began to ask for something else.
    pub(super) succeeded: i64,
}

/// Where and for what the operator asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The address of the update service. Empty for the default service.
    pub(super) service: String,
    pub(super) channel: String,
    /// `Multi`, or the architecture of the operator.
    pub(super) architecture: String,
}

impl Origin {
    pub(super) fn of(settings: &Settings, surroundings: &Surroundings<'_>) -> Self {
        let spec = &surroundings.cluster.spec;
        let wanted = spec.desired_update.as_ref().map(|update| update.architecture.as_str());
        let architecture = wanted
            .filter(|wanted| !wanted.is_empty())
            .unwrap_or_else(|| running_architecture(settings, surroundings));
        Self {
            service: service::address(surroundings.cluster, settings.update_service.as_deref())
                .into(),
            channel: spec.channel.clone(),
            architecture: architecture.to_owned(),
        }
    }
}

fn running_architecture<'a>(settings: &'a Settings, surroundings: &'a Surroundings<'_>) -> &'a str {
    match surroundings.running.architecture.as_str() {
        "" => settings.architecture,
        architecture => architecture,
    }
}

impl Retrieval {
    /// Asks the update service. If that fails, keeps `known`, if it is given and the failure allows
    /// it.
    pub(super) fn new(
        origin: Origin,
        settings: &Settings,
        surroundings: &mut Surroundings<'_>,
        known: Option<Self>,
        request: &mut Option<Request>,
        log: &mut Log,
    ) -> (Self, bool) {
        let now = surroundings.now;
        let offered = offered(&origin, settings, surroundings, request, log);
        let (offer, condition) = match (offered, known) {
            (Ok(mut offer), _) => {
                if settings.injects_cluster_id {
                    inject(&mut offer, &surroundings.cluster.spec.cluster_id);
                }
                (offer, Condition::new(KIND, "True", "", ""))
            }
            (Err(refusal), Some(known)) if refusal.may_keep() => {
                let condition = refusal.condition(KIND);
                return (Self { condition, attempted: now, ..known }, false);
            }
            (Err(refusal), _) => (Offer::default(), refusal.condition(KIND)),
        };
        (Self { origin, offer, condition, attempted: now, succeeded: now }, true)
    }
}

fn offered(
    origin: &Origin,
    settings: &Settings,
    surroundings: &mut Surroundings<'_>,
    sent: &mut Option<Request>,
    log: &mut Log,
) -> Result<Offer, Refusal> {
    let spec = &surroundings.cluster.spec;
    let Origin { service, channel, architecture } = origin;
    if service.is_empty() && !settings.has_default_service {
        let message = "No updateService server has been set to retrieve updates.";
        return Err(Refusal::before_asking("NoUpstream", message));
    }
    crate::go::url::check(service).map_err(|words| {
        let message = format!("failed to parse update service URL: {words}");
        Refusal::before_asking("InvalidURI", message)
    })?;
    let cluster_id = uuid(&spec.cluster_id)
        .map_err(|why| Refusal::before_asking("InvalidID", format!("invalid cluster ID: {why}")))?;
    let running = surroundings.running;
    if running.version.is_empty() {
        return Err(Refusal::before_asking(
            "NoCurrentVersion",
            "The cluster version does not have a semantic version assigned and cannot calculate \
             valid upgrades.",
        ));
    }
    if channel.is_empty() {
        let message = "The update channel has not been configured.";
        return Err(Refusal::before_asking("NoChannel", message));
    }
    let version = parse_version(&running.version).map_err(|_| {
        Refusal::before_asking(
            "InvalidCurrentVersion",
            "The current cluster version is not a valid semantic version and cannot be used to \
             calculate upgrades.",
        )
    })?;
    let asked_for = if architecture == "Multi" { "multi" } else { architecture };
    let request = Request::new(service, asked_for, channel, &cluster_id, &running.version);
    if let Some(refusal) = request.refusal() {
        return Err(refusal);
    }
    let response = (surroundings.service)(&request);
    let is_sent = !matches!(response, Response::Unreachable(_));
    let answer = request.answer(response);
    *sent = Some(request).filter(|_| is_sent);
    let recipient = Recipient {
        text: &running.version,
        version: &version,
        channel,
        becomes_multi: architecture == "Multi" && running.architecture != "Multi",
        knows_conditions: settings.level.knows_conditions(),
    };
    Offer::of(&answer?, recipient, log)
}

/// Replaces the placeholder for the cluster's id in queries, as the operator of a hosted cluster
/// does.
fn inject(offer: &mut Offer, cluster_id: &str) {
    let risks = offer.conditional_updates.iter_mut().filter_map(|update| update.risks.as_mut());
    for rule in risks.flatten().flat_map(|risk| &mut risk.matching_rules) {
        if let Some(query) = &mut rule.promql {
            query.promql = query.promql.replace("_id=\"\"", &format!("_id=\"{cluster_id}\""));
        }
    }
}

/// The id of a cluster as the operator sends it: in lower case, with dashes. The operator also
/// accepts other forms.
fn uuid(id: &str) -> Result<String, go::Error> {
    let digits = match id.len() {
        36 => id,
        45 if id.to_ascii_lowercase().starts_with("urn:uuid:") => &id[9..],
        45 => {
            let prefix = id.get(..9).unwrap_or_default();
            return Err(format!("invalid urn prefix: {}", crate::go::quoted(prefix)).into());
        }
        38 => id.get(1..37).ok_or("invalid UUID format")?,
        32 if id.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            let ends = [0, 8, 12, 16, 20, 32];
            let parts: Vec<&str> = ends.windows(2).map(|ends| &id[ends[0]..ends[1]]).collect();
            return Ok(parts.join("-").to_ascii_lowercase());
        }
        32 => return Err("invalid UUID format".into()),
        length => return Err(format!("invalid UUID length: {length}").into()),
    };
    let is_valid = digits.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    if is_valid { Ok(digits.to_ascii_lowercase()) } else { Err("invalid UUID format".into()) }
}
