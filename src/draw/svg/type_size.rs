//! How much room text takes. Fonts differ from one machine to the next; this is the widest
//! of those that browsers take where none is at hand.

/// From one line of text to the next. Half of it is the grid that cards stand on.
pub(super) const LINE: usize = 16;
/// The height of the title.
pub(super) const TITLE: usize = 18;

/// The width of text of twelve pixels.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(thousandths).sum::<usize>() * 12 / 1000 + 1
}

fn thousandths(character: char) -> usize {
    match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '!' => 340,
        'f' | 't' | 'r' | '-' | '(' | ')' | '/' => 420,
        'm' | 'M' | 'W' | '@' | '%' => 990,
        'w' | 'N' | 'O' | 'Q' | 'G' | 'D' | 'H' | 'U' | '…' => 830,
        'A'..='Z' => 720,
        ' '..='~' | '–' => 640,
        _ => 1000,
    }
}

/// Text in lines that are no wider than some pixels.
pub(super) fn wrapped(text: &str, widest: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let room = width(word);
        if used > 0 && used + room > widest {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        for character in word.chars() {
            let room = thousandths(character) * 12 / 1000 + 1;
            if used > 0 && used + room > widest {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(character);
            used += room;
        }
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}
