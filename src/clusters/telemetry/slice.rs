//! Parts of a fleet, so that a store never has to answer about all clusters at once.

/// The clusters whose ids begin with a text. Ids are written in hexadecimal digits, as those of
/// OpenShift are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    prefix: String,
    /// Whether the next character is not a hexadecimal digit.
    is_rest: bool,
}

/// The most digits of the id that a slice has at first.
const MOST_DIGITS: usize = 3;
const DIGITS: &str = "0123456789abcdef";

impl Slice {
    /// Divides this many clusters into slices of at most about `most` clusters each. No cluster is
    /// in two slices.
    pub(super) fn of(clusters: usize, most: usize) -> Vec<Self> {
        let mut slices = vec![Self { prefix: String::new(), is_rest: false }];
        let mut in_each = clusters;
        // A store can say that it has any number.
        for _ in 0..MOST_DIGITS {
            if in_each <= most {
                break;
            }
            slices = slices.iter().flat_map(Self::parts).collect();
            in_each /= DIGITS.len();
        }
        slices
    }

    /// Smaller slices with the same clusters.
    pub(super) fn parts(&self) -> Vec<Self> {
        if self.is_rest {
            return vec![self.clone()];
        }
        let with = |digit| Self { prefix: format!("{}{digit}", self.prefix), is_rest: false };
        let rest = Self { prefix: self.prefix.clone(), is_rest: true };
        DIGITS.chars().map(with).chain([rest]).collect()
    }

    pub(super) fn is_divisible(&self) -> bool {
        !self.is_rest
    }

    pub(super) fn has(&self, id: &str) -> bool {
        let rest = id.strip_prefix(&self.prefix);
        rest.is_some_and(|rest| !self.is_rest || !rest.starts_with(|c| DIGITS.contains(c)))
    }

    /// The matchers that select these clusters by a label.
    pub(super) fn matchers(&self, label: &str) -> String {
        let Self { prefix, is_rest } = self;
        let begins = match prefix.as_str() {
            "" => format!("{label}!=\"\""),
            prefix => format!("{label}=~\"{prefix}.*\""),
        };
        if *is_rest { format!("{begins},{label}!~\"{prefix}[0-9a-f].*\"") } else { begins }
    }

    /// Which clusters they are, in words.
    pub(super) fn in_words(&self) -> String {
        match (self.prefix.as_str(), self.is_rest) {
            ("", false) => "all clusters".to_owned(),
            ("", true) => "clusters whose id begins with no hexadecimal digit".to_owned(),
            (prefix, false) => format!("clusters whose id begins with {prefix}"),
            (prefix, true) => {
                format!("clusters whose id has no hexadecimal digit after {prefix}")
            }
        }
    }
}
