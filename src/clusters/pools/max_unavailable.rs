//! How many nodes of a pool may be unavailable.

use crate::go::{self, quoted, strconv};

/// `maxUnavailable` as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaxUnavailable {
    Number(i64),
    /// A text such as `30%`. Only the operator finds out whether it is a percentage.
    Text(String),
}

/// The number of nodes that it means for a pool. Percentages are rounded down, and 0 means 1. The
/// operator accepts negative numbers, with which nothing ever updates.
pub fn max_unavailable(
    pool: &str,
    written: Option<&MaxUnavailable>,
    nodes: usize,
) -> Result<i64, go::Error> {
    // There is only one arbiter, so its pool always has the limit 1.
    if pool == "arbiter" {
        return Ok(1);
    }
    let max = match written {
        None => 1,
        Some(MaxUnavailable::Number(number)) => *number,
        Some(MaxUnavailable::Text(text)) => share(percentage(text)?, nodes),
    };
    Ok(if max == 0 { 1 } else { max })
}

/// The number before `%`.
pub(super) fn percentage(text: &str) -> Result<i64, go::Error> {
    let number = text
        .strip_suffix('%')
        .ok_or_else(|| unreadable("invalid type: string is not a percentage"))?;
    strconv::integer(number)
        .map_err(|why| unreadable(&format!("invalid value {}: {why}", quoted(text))))
}

fn unreadable(why: &str) -> go::Error {
    format!("maxUnavailable: invalid value for IntOrString: {why}").into()
}

fn share(percent: i64, nodes: usize) -> i64 {
    let nodes = i128::try_from(nodes).unwrap_or(i128::from(i64::MAX));
    let share = i128::from(percent).saturating_mul(nodes).div_euclid(100);
    i64::try_from(share).unwrap_or(if share < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use crate::go;

    use super::{MaxUnavailable, max_unavailable};

    fn of_four(text: &str) -> Result<i64, go::Error> {
        let written = MaxUnavailable::Text(text.to_owned());
        max_unavailable("worker", Some(&written), 4)
    }

    #[test]
    fn a_percentage_is_rounded_down_and_zero_is_one() {
        assert_eq!(max_unavailable("worker", None, 4), Ok(1));
        assert_eq!(max_unavailable("worker", Some(&MaxUnavailable::Number(0)), 4), Ok(1));
        assert_eq!(of_four("60%"), Ok(2));
        assert_eq!(of_four("+50%"), Ok(2));
        assert_eq!(of_four("24%"), Ok(1));
        assert_eq!(of_four("-30%"), Ok(-2));
    }

    #[test]
    fn other_texts_are_errors_in_the_words_of_the_operator() {
        let start = "maxUnavailable: invalid value for IntOrString: ";
        let error = |text: &str| of_four(text).unwrap_err().words().replace(start, "");
        assert_eq!(error("60"), "invalid type: string is not a percentage");
        assert_eq!(error("%"), "invalid value \"%\": strconv.Atoi: parsing \"\": invalid syntax");
        assert_eq!(
            error("9223372036854775808%"),
            "invalid value \"9223372036854775808%\": strconv.Atoi: parsing \
             \"9223372036854775808\": value out of range"
        );
    }
}
