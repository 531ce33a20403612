//! The series that tests ask queries of: those that real risks ask for, counters, a histogram, and
//! values that are hard to calculate with.

use promql::{Labels, Point, Store};

/// The time of the queries, in milliseconds since 1970.
pub(crate) const NOW: i64 = 1_755_896_700_000;

const MINUTE: i64 = 60_000;

/// Numbers that look random and are the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % most as u64).unwrap()
    }

    pub(crate) fn one<'t, T: ?Sized>(&mut self, of: &[&'t T]) -> &'t T {
        of[self.below(of.len())]
    }
}

/// How the values of a series go on.
#[derive(Clone, Copy)]
enum Course {
    Constant(f64),
    /// 0 and 1.
    Flag,
    /// Upwards, and sometimes back to 0.
    Counter,
    Gauge,
    /// With NaN and infinities.
    Odd,
}

const SERIES: &[(&str, &[&str], Course)] = &[
    ("cluster_infrastructure_provider", &["region=eu,type=AWS"], Course::Constant(1.0)),
    ("cluster_infrastructure_provider", &["type=None"], Course::Constant(0.0)),
    (
        "cluster_version",
        &[
            "type=current,version=4.18.3",
            "type=cluster,version=4.18.3",
            "type=initial,version=4.9.0",
        ],
        Course::Constant(1_755_890_000.0),
    ),
    (
        "cluster_installer",
        &["type=openshift-install,version=4.9.0,invoker=user"],
        Course::Constant(1.0),
    ),
    (
        "cluster_operator_conditions",
        &[
            "name=aro,condition=Available",
            "name=aro,condition=Degraded",
            "name=dns,condition=Available",
            "name=dns,condition=Degraded",
        ],
        Course::Flag,
    ),
    ("ovnkube_controller_ipsec_enabled", &["node=n1", "node=n2", "node=n3"], Course::Flag),
    (
        "kube_node_labels",
        &[
            "node=n1,label_kubernetes_io_arch=amd64",
            "node=n2,label_kubernetes_io_arch=amd64",
            "node=n3,label_kubernetes_io_arch=s390x",
        ],
        Course::Constant(1.0),
    ),
    (
        "csv_succeeded",
        &[
            "namespace=a,name=odf.v4.18.1,version=4.18.1",
            "namespace=b,name=odf.v4.18.2,version=4.18.2",
            "namespace=b,name=acm.v2.1.0,version=2.1.0",
        ],
        Course::Flag,
    ),
    (
        "apiserver_storage_objects",
        &["resource=nodes,instance=i1", "resource=nodes,instance=i2", "resource=pods,instance=i1"],
        Course::Gauge,
    ),
    (
        "requests_total",
        &[
            "job=api,instance=i1",
            "job=api,instance=i2",
            "job=web,instance=i1",
            "job=web,instance=i3",
        ],
        Course::Counter,
    ),
    ("errors_total", &["job=api,instance=i1", "job=web,instance=i1"], Course::Counter),
    (
        "temperature",
        &["node=n1,zone=a", "node=n2,zone=a", "node=n3,zone=b", "zone=b"],
        Course::Gauge,
    ),
    ("odd", &["x=1,y=p", "x=2,y=p", "x=1,y=q", "x=3"], Course::Odd),
    ("ties", &["x=1", "x=2", "x=3", "x=4", "x=5", "x=6"], Course::Flag),
    (
        "latency_bucket",
        &["job=api,le=0.1", "job=api,le=0.5", "job=api,le=1", "job=api,le=+Inf", "job=api,le=no"],
        Course::Counter,
    ),
    (
        "latency_bucket",
        &["job=web,le=-1", "job=web,le=1.0", "job=web,le=1", "job=web,le=+Inf"],
        Course::Gauge,
    ),
    ("latency_bucket", &["job=db,le=1", "job=db,le=2"], Course::Counter),
];

/// The series. Each has a first sample three hours back, so that every store has them in one order.
pub(crate) fn series() -> Store {
    let mut random = Random::new(7);
    let mut store = Store::default();
    for (name, sets, course) in SERIES {
        for set in *sets {
            let pairs = set.split(',').map(|pair| pair.split_once('=').unwrap());
            let labels = Labels::new(pairs.chain([("__name__", *name)]));
            let start = NOW - 180 * MINUTE;
            store.insert(labels.clone(), Point { time: start, value: 0.0 });
            store.insert(labels.clone(), Point::stale(start + 1000));
            for point in points(*course, &mut random) {
                store.insert(labels.clone(), point);
            }
        }
    }
    store
}

fn points(course: Course, random: &mut Random) -> Vec<Point> {
    let interval = [30_000, 60_000, 15_000, 45_000][random.below(4)];
    // Some are exactly on the minute, some are not, and some end early.
    let mut time = NOW - 90 * MINUTE + [0, 0, 1, 7_123][random.below(4)];
    let end = NOW - [0, 0, 0, 0, 5 * MINUTE, 5 * MINUTE + 1, 20 * MINUTE][random.below(7)];
    let is_ended = random.below(3) == 0;
    let mut value = f64::from(u32::try_from(random.below(50)).unwrap());
    let mut points = Vec::new();
    while time <= end {
        value = match (course, random.below(12)) {
            (Course::Constant(value), _) => value,
            (Course::Flag, n) => f64::from(u8::from(n < 7)),
            (Course::Counter, 0) => 0.25,
            (Course::Odd, 0) => f64::NAN,
            (Course::Odd, 1) => f64::INFINITY,
            (Course::Odd, 2) => f64::NEG_INFINITY,
            (Course::Odd, 3) => -0.0,
            (Course::Odd, 4) => 1e300,
            (Course::Odd, n) => f64::from(u8::try_from(n).unwrap()) - 7.5,
            (Course::Counter, n) => value + f64::from(u8::try_from(n).unwrap()) / 4.0,
            (Course::Gauge, n) => (value + f64::from(u8::try_from(n).unwrap()) - 5.5) * 0.875,
        };
        points.push(Point { time, value });
        time += match random.below(20) {
            // A gap, and in some gaps the target is known to be gone.
            0 => 6 * MINUTE,
            1 => {
                points.push(Point::stale(time + interval));
                3 * MINUTE
            }
            _ => interval,
        };
    }
    if is_ended {
        points.push(Point::stale(time));
    }
    points
}
