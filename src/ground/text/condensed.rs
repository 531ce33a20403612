//! Text without its bulk: long runs of base64, which are nearly all bytes of a catalog.
//!
//! A run loses its middle. This does not change the syntax, because the cut is inside one word, and
//! the rest is valid base64, because whole groups of four characters are cut.

/// The bytes of a text without its bulk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Condensed {
    pub bytes: Vec<u8>,
    /// The cuts, in the order of their offsets.
    pub cuts: Vec<Cut>,
}

/// Bytes that are omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The offset in the condensed text.
    pub at: usize,
    /// How many bytes are omitted. All of them are ASCII, and none is a line break.
    pub bytes: usize,
}

const BLOCK: usize = 64;
/// Shorter runs are kept.
const SHORT: usize = 4096;
/// The most bytes of a run in memory.
const LONGEST: usize = 8 << 20;

/// Condenses bytes while they are read.
#[derive(Debug, Default)]
pub(crate) struct Condenser {
    done: Condensed,
    /// A run of base64 that may continue.
    run: Vec<u8>,
    /// How many bytes of the run are already omitted.
    lost: usize,
    /// The last bytes, which do not fill a block.
    rest: Vec<u8>,
    /// Runs that contain one of these texts are kept whole.
    keep: &'static [&'static str],
}

impl Condenser {
    /// Keeps runs that contain one of the texts, unless they are huge.
    pub(crate) fn keeping(keep: &'static [&'static str]) -> Self {
        Self { keep, ..Self::default() }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let mut bytes = bytes;
        if !self.rest.is_empty() {
            let missing = BLOCK.saturating_sub(self.rest.len()).min(bytes.len());
            let (head, tail) = bytes.split_at(missing);
            self.rest.extend_from_slice(head);
            bytes = tail;
            if self.rest.len() < BLOCK {
                return;
            }
            let block = std::mem::take(&mut self.rest);
            self.block(&block);
        }
        let mut blocks = bytes.chunks_exact(BLOCK);
        for block in &mut blocks {
            self.block(block);
        }
        self.rest.extend_from_slice(blocks.remainder());
    }

    pub(crate) fn finish(mut self) -> Condensed {
        self.end_run();
        self.done.bytes.append(&mut self.rest);
        self.done
    }

    /// The bytes kept so far.
    pub(crate) fn len(&self) -> usize {
        self.done.bytes.len() + self.run.len()
    }

    fn block(&mut self, block: &[u8]) {
        if is_base64(block) {
            self.run.extend_from_slice(block);
            if self.run.len() > LONGEST {
                self.lose_middle();
            }
        } else {
            self.end_run();
            self.done.bytes.extend_from_slice(block);
        }
    }

    fn lose_middle(&mut self) {
        self.lost += self.run.len() - 2 * BLOCK;
        self.run.drain(BLOCK..self.run.len() - BLOCK);
    }

    fn end_run(&mut self) {
        let is_kept = || {
            let text = std::str::from_utf8(&self.run).unwrap_or_default();
            self.keep.iter().any(|keep| text.contains(keep))
        };
        if self.lost > 0 || self.run.len() >= SHORT && !is_kept() {
            self.lose_middle();
            let at = self.done.bytes.len() + BLOCK;
            self.done.cuts.push(Cut { at, bytes: self.lost });
        }
        self.lost = 0;
        self.done.bytes.append(&mut self.run);
    }
}

/// Whether a block is base64. It has no branches, so that the compiler can vectorize it.
#[allow(clippy::needless_bitwise_bool, reason = "lazy operators are branches")]
fn is_base64(block: &[u8]) -> bool {
    let mut wrong = 0_u8;
    for byte in block {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        wrong |= u8::from(!(letter | digit | (*byte == b'+') | (*byte == b'/')));
    }
    wrong == 0
}

#[cfg(test)]
mod tests {
    use super::{Condensed, Condenser, Cut};

    fn condensed(text: &str, step: usize) -> Condensed {
        let mut condenser = Condenser::keeping(&["KEEPME"]);
        for chunk in text.as_bytes().chunks(step) {
            condenser.push(chunk);
        }
        condenser.finish()
    }

    #[test]
    fn a_long_run_loses_its_middle_whatever_the_chunks() {
        let text = format!("data: {}\nnext: 1\n", "QUJD".repeat(5_000));
        let whole = condensed(&text, text.len());
        for step in [1, 7, 64, 1_000] {
            assert_eq!(condensed(&text, step), whole, "{step}");
        }
        let [Cut { at, bytes }] = whole.cuts[..] else { unreachable!("one cut") };
        assert_eq!(whole.bytes.len() + bytes, text.len());
        assert_eq!(&text.as_bytes()[..at], &whole.bytes[..at]);
        assert_eq!(&text.as_bytes()[at + bytes..], &whole.bytes[at..]);
        assert_eq!(bytes % 4, 0);
    }

    #[test]
    fn short_runs_and_wanted_runs_stay() {
        for text in ["QUJD".repeat(900), format!("{0}KEEPME{0}", "QUJD".repeat(5_000))] {
            let kept = condensed(&text, 500);
            assert_eq!((kept.bytes, kept.cuts), (text.into_bytes(), Vec::new()));
        }
    }

    #[test]
    fn a_huge_run_does_not_stay_in_memory() {
        let mut condenser = Condenser::default();
        for _ in 0..6_400 {
            condenser.push(&[b'A'; 1 << 12]);
            assert!(condenser.len() < 9 << 20);
        }
        assert_eq!(condenser.finish().bytes.len(), 128);
    }
}
