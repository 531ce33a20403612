//! Tables, as Go's package `text/tabwriter` lays them out.

/// The widest column that is aligned. Without this limit, one huge cell would widen a thousand
/// lines.
const WIDEST: usize = 1000;

/// The widths of columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The least width of a column.
    least: usize,
    /// The spaces after the widest cell of a column.
    gap: usize,
}

impl Layout {
    /// The layout of lists of versions. Its least width keeps a distance after short versions.
    const VERSIONS: Self = Self { least: 14, gap: 1 };
    /// The layout of tables with headings.
    pub(crate) const WIDE: Self = Self { least: 0, gap: 3 };
}

/// A list of versions, with tabs replaced by spaces so that columns align.
pub(crate) fn aligned(text: &str) -> String {
    laid_out(text, Layout::VERSIONS)
}

/// Text with tabs replaced by spaces so that columns align. A column extends over consecutive lines
/// that have it. The last cell of a line belongs to no column.
pub(crate) fn laid_out(text: &str, layout: Layout) -> String {
    let lines: Vec<Vec<&str>> = text.split('\n').map(|line| line.split('\t').collect()).collect();
    let mut widths: Vec<Vec<usize>> = lines.iter().map(|_| Vec::new()).collect();
    let mut having: Vec<usize> = (0..lines.len()).collect();
    for column in 0.. {
        having.retain(|&line| column + 1 < lines[line].len());
        if having.is_empty() {
            break;
        }
        for block in having.chunk_by(|line, next| line + 1 == *next) {
            let cells = block.iter().map(|&line| lines[line][column].chars().count() + layout.gap);
            let width = cells.fold(layout.least, usize::max).min(WIDEST);
            for &line in block {
                widths[line].push(width);
            }
        }
    }
    let lines: Vec<String> =
        lines.iter().zip(&widths).map(|(cells, widths)| padded(cells, widths)).collect();
    lines.join("\n")
}

fn padded(cells: &[&str], widths: &[usize]) -> String {
    let mut line = String::new();
    for (at, cell) in cells.iter().enumerate() {
        line.push_str(cell);
        if let Some(width) = widths.get(at) {
            let missing = width.saturating_sub(cell.chars().count()).max(1);
            line.extend(std::iter::repeat_n(' ', missing));
        }
    }
    line
}
