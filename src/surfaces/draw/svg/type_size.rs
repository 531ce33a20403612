//! Measures text. Fonts differ between machines, so these are the widths of the widest fonts that
//! browsers fall back to, Verdana and DejaVu Sans.

/// The distance between two lines of text. Cards are on a grid of half a line.
pub(in crate::surfaces::draw) const LINE: usize = 16;
/// The height of the title.
pub(in crate::surfaces::draw) const TITLE: usize = 18;

/// The width of text in a font of 12 pixels.
pub(in crate::surfaces::draw) fn width(text: &str) -> usize {
    pixels(text.chars().map(thousandths).sum())
}

/// The width of a character, in thousandths of the font's height.
fn thousandths(character: char) -> usize {
    match character {
        'i' | 'l' | '\'' => 280,
        'j' | '.' | ',' | ' ' => 365,
        'f' | 'r' | 't' | 'I' | '!' => 430,
        ':' | ';' | '-' | '(' | ')' | '/' | '|' => 455,
        'w' | '#' | '+' | '<' | '=' | '>' | '^' | '~' => 840,
        'D' | 'G' | 'H' | 'N' | 'O' | 'Q' | 'U' => 790,
        'm' | 'M' | 'W' | '@' => 1000,
        '%' => 1080,
        'A'..='Z' => 700,
        ' '..='~' | '–' => 640,
        _ => 1000,
    }
}

fn pixels(thousandths: usize) -> usize {
    (thousandths * 12).div_ceil(1000)
}

/// Wraps text to lines of a width in pixels. Breaks only words that are wider than a line.
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
