//! Numbers and lists in words.

/// A number in groups of three digits: `1,793`.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with its noun: `1 file`, `1,793 files`.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    let (stem, plural) = match noun.strip_suffix('y') {
        _ if n == 1 => (noun, ""),
        Some(stem) if !stem.ends_with(['a', 'e', 'o']) => (stem, "ies"),
        _ if noun.ends_with('x') => (noun, "es"),
        _ => (noun, "s"),
    };
    format!("{} {stem}{plural}", grouped(n))
}

/// A note on how many of the updates mentioned before are uncertain. Empty if none are.
pub(crate) fn uncertain(n: usize) -> String {
    match n {
        0 => String::new(),
        1 => "; 1 of them is uncertain".to_owned(),
        n => format!("; {} of them are uncertain", grouped(n)),
    }
}

/// Lists all items: `a`, `a and b`, or `a, b, and c`.
pub(crate) fn list_all<T: AsRef<str>>(things: &[T], conjunction: &str) -> String {
    let things: Vec<&str> = things.iter().map(AsRef::as_ref).collect();
    match things.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [one, other] => format!("{one} {conjunction} {other}"),
        [all @ .., last] => format!("{}, {conjunction} {last}", all.join(", ")),
    }
}

/// Lists up to five items. If there are more, lists the first three and the number of the others.
pub(crate) fn listed<T: AsRef<str>>(things: &[T], conjunction: &str) -> String {
    if things.len() <= 5 {
        return list_all(things, conjunction);
    }
    let mut named: Vec<&str> = things[..3].iter().map(AsRef::as_ref).collect();
    let more = format!("{} more", grouped(things.len() - named.len()));
    named.push(&more);
    list_all(&named, conjunction)
}

/// Alternatives of which one is enough. None if the list is empty.
pub(crate) fn one_of(things: &[&str]) -> Option<String> {
    (!things.is_empty()).then(|| listed(things, "or"))
}

/// Names as code.
pub(crate) fn quoted<T: AsRef<str>>(names: &[T]) -> Vec<String> {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect()
}

/// Releases, which must be sorted: a few by name, many by the first and the last.
pub(crate) fn releases(versions: &[&str]) -> String {
    const FEW: usize = 4;
    match versions {
        [first, .., last] if versions.len() > FEW => {
            format!("{} ({first} … {last})", counted(versions.len(), "release"))
        }
        few => listed(few, "and"),
    }
}

/// A sorted list in words, with neighbors joined as ranges: `4.17.0–4.17.9, and 4.17.12`.
pub(crate) fn in_ranges<'l, T>(
    list: &'l [T],
    is_next: impl Fn(&T, &T) -> bool,
    text: impl Fn(&'l T) -> &'l str,
) -> String {
    let runs = list.chunk_by(|a, b| is_next(a, b));
    let words = runs.flat_map(|run| match run {
        [] => Vec::new(),
        [only] => vec![text(only).to_owned()],
        [one, two] => vec![text(one).to_owned(), text(two).to_owned()],
        [first, .., end] => vec![format!("{}–{}", text(first), text(end))],
    });
    listed(&words.collect::<Vec<_>>(), "and")
}
