//! How much room text takes. Fonts differ from one machine to the next; this is the widest
//! of those that browsers take where none is at hand.

/// From one line of text to the next. Half of it is the grid that cards stand on.
pub(super) const LINE: usize = 16;
/// The height of the title.
pub(super) const TITLE: usize = 18;

/// The width of text of twelve pixels.
pub(super) fn width(text: &str) -> usize {
    pixels(text.chars().map(thousandths).sum())
}

/// The width of characters, in thousandths of the height of the font.
fn thousandths(character: char) -> usize {
    match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '!' => 310,
        'f' | 't' | 'r' | '-' | '(' | ')' | '/' => 390,
        'm' | 'M' | 'W' | '@' | '%' => 960,
        'w' | 'N' | 'O' | 'Q' | 'G' | 'D' | 'H' | 'U' | '…' => 780,
        'A'..='Z' => 690,
        ' '..='~' | '–' => 600,
        _ => 1000,
    }
}

fn pixels(thousandths: usize) -> usize {
    (thousandths * 12).div_ceil(1000)
}

/// Text in lines that are no wider than some pixels. Only a word that no line has room for
/// is broken.
pub(super) fn wrapped(text: &str, widest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let room: usize = word.trim_end().chars().map(thousandths).sum();
        if pixels(used + room) > widest && used > 0 {
            lines.push(String::new());
            used = 0;
        }
        for character in word.chars() {
            let room = thousandths(character);
            if pixels(used + room) > widest && character != ' ' {
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(character);
            }
            used += room;
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}
