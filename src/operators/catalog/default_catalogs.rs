//! APIs that the default catalogs of OpenShift provide. Operators of other catalogs may require
//! them.

use super::package::Gvk;

struct Provider {
    group: &'static str,
    versions: &'static [&'static str],
    kinds: &'static [&'static str],
    package: &'static str,
}

const PROVIDERS: &[Provider] = &[
    Provider {
        group: "cert-manager.io",
        versions: &["v1"],
        kinds: &["Certificate", "CertificateRequest", "ClusterIssuer", "Issuer"],
        package: "openshift-cert-manager-operator",
    },
    Provider {
        group: "acme.cert-manager.io",
        versions: &["v1"],
        kinds: &["Challenge", "Order"],
        package: "openshift-cert-manager-operator",
    },
    Provider {
        group: "monitoring.coreos.com",
        versions: &["v1"],
        kinds: &[
            "Alertmanager",
            "PodMonitor",
            "Probe",
            "Prometheus",
            "PrometheusRule",
            "ServiceMonitor",
            "ThanosRuler",
        ],
        package: "prometheus",
    },
    Provider {
        group: "loki.grafana.com",
        versions: &["v1"],
        kinds: &["AlertingRule", "LokiStack", "RecordingRule", "RulerConfig"],
        package: "loki-operator",
    },
    Provider {
        group: "kmm.sigs.x-k8s.io",
        versions: &["v1beta1"],
        kinds: &["Module"],
        package: "kernel-module-management",
    },
    Provider {
        group: "nfd.openshift.io",
        versions: &["v1"],
        kinds: &["NodeFeatureDiscovery"],
        package: "nfd",
    },
    Provider {
        group: "sriovnetwork.openshift.io",
        versions: &["v1"],
        kinds: &["SriovNetwork", "SriovNetworkNodePolicy", "SriovOperatorConfig"],
        package: "sriov-network-operator",
    },
    Provider {
        group: "kiali.io",
        versions: &["v1alpha1"],
        kinds: &["Kiali"],
        package: "kiali-ossm",
    },
    Provider {
        group: "hco.kubevirt.io",
        versions: &["v1beta1"],
        kinds: &["HyperConverged"],
        package: "kubevirt-hyperconverged",
    },
];

/// The package of a default catalog that provides an API.
pub(crate) fn default_provider(api: &Gvk) -> Option<&'static str> {
    let provides = |provider: &&Provider| {
        provider.group == api.group
            && provider.versions.contains(&api.version.as_str())
            && provider.kinds.contains(&api.kind.as_str())
    };
    PROVIDERS.iter().find(provides).map(|provider| provider.package)
}
