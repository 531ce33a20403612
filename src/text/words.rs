//! Words for numbers and lists in messages.

/// For example `1 file`, `1,793 files`.
#[must_use]
pub(crate) fn counted(n: usize, noun: &str) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let plural = if n == 1 { "" } else { "s" };
    format!("{grouped} {noun}{plural}")
}

/// Names the first things, and counts the rest.
#[must_use]
pub(crate) fn listed(things: &[&str], conjunction: &str) -> String {
    const MOST: usize = 6;
    match things {
        [all @ .., last] if things.len() <= MOST && !all.is_empty() => {
            format!("{} {conjunction} {last}", all.join(", "))
        }
        _ if things.len() <= MOST => things.join(", "),
        _ => format!("{} and {} more", things[..MOST - 1].join(", "), things.len() - (MOST - 1)),
    }
}

/// Like [`listed`], with "or". None for an empty list.
#[must_use]
pub(crate) fn one_of(things: &[&str]) -> Option<String> {
    const MOST: usize = 4;
    let (named, more) = things.split_at(things.len().min(MOST));
    let more = if more.is_empty() { String::new() } else { format!(" or {} more", more.len()) };
    (!named.is_empty()).then(|| named.join(" or ") + &more)
}

/// Names a few releases. For many, names the first and the last. They are sorted from old to new.
#[must_use]
pub(crate) fn releases(versions: &[&str]) -> String {
    const FEW: usize = 4;
    match versions {
        [first, .., last] if versions.len() > FEW => {
            format!("{} releases ({first} … {last})", versions.len())
        }
        few => listed(few, "and"),
    }
}
