//! Tables, as Go's package `text/tabwriter` lays them out.

/// The least width of a column, so that short versions do not crowd what follows.
const LEAST: usize = 14;

/// Text with each tab replaced by what aligns the columns. A column reaches as far as the lines
/// that have it follow each other. The last cell of a line belongs to no column.
pub(super) fn aligned(text: &str) -> String {
    let lines: Vec<Vec<&str>> = text.split('\n').map(|line| line.split('\t').collect()).collect();
    let mut widths: Vec<Vec<usize>> = lines.iter().map(|_| Vec::new()).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    for column in 0..columns {
        let mut start = 0;
        while start < lines.len() {
            let has_it = |line: &&Vec<&str>| column + 1 < line.len();
            let block = lines[start..].iter().take_while(has_it);
            let (mut count, mut width) = (0, LEAST);
            for line in block {
                count += 1;
                width = width.max(line[column].chars().count() + 1);
            }
            for line in &mut widths[start..start + count] {
                line.push(width);
            }
            start += count.max(1);
        }
    }
    let lines: Vec<String> =
        lines.iter().zip(&widths).map(|(cells, widths)| padded(cells, widths)).collect();
    lines.join("\n")
}

fn padded(cells: &[&str], widths: &[usize]) -> String {
    let mut line = String::new();
    for (at, cell) in cells.iter().enumerate() {
        let width = widths.get(at).copied().unwrap_or(0);
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
    }
    line
}
