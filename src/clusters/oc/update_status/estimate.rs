//! Estimates how long an update takes.

use super::time::Duration;

/// The progress of an update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// How long an update of this cluster usually takes.
    pub(super) usual: Duration,
    /// The time from the start to the last progress.
    pub(super) to_last_progress: Duration,
    /// The time since the start.
    pub(super) so_far: Duration,
    /// The share of updated operators, which is less than 1.
    pub(super) share: f64,
}

impl Pace {
    /// The remaining time. It is negative if the update is late.
    pub(super) fn remaining(self) -> Duration {
        let time_share = time_share(self.share);
        let is_measured =
            self.share > 0.0 && time_share > 0.0 && self.to_last_progress > Duration::minutes(5);
        let total = if is_measured {
            self.to_last_progress.seconds() / time_share
        } else {
            self.usual.seconds()
        };
        let remaining = total - self.so_far.seconds();
        // The estimate is pessimistic on purpose.
        let factor = if remaining < 0.0 { 1.0 / 1.2 } else { 1.2 };
        #[allow(clippy::cast_possible_truncation, reason = "as Go calculates it")]
        let estimate = Duration::whole_seconds((remaining * factor) as i64);
        let is_long = estimate > Duration::minutes(10);
        estimate.rounded(if is_long { Duration::MINUTE } else { Duration::SECOND })
    }
}

/// The share of the total time that passes until this share of the operators is updated. `oc`
/// fitted the curve to a real update. The nodes of the control plane are last, and take a third of
/// the time.
fn time_share(x: f64) -> f64 {
    let (x2, x3, x4) = (x.powi(2), x.powi(3), x.powi(4));
    if x < 0.25 {
        -0.030_787_88 + 2.62886 * x - 3.823_954 * x2
    } else if x < 0.9 {
        0.185_121_5 + 1.64994 * x - 4.676_898 * x2 + 5.451_824 * x3 - 2.125_286 * x4
    } else {
        25_053.32 - 107_394.3 * x + 172_527.2 * x2 - 123_107.0 * x3 + 32_921.81 * x4
    }
}
