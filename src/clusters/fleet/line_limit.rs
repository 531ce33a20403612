//! Input whose rows have a limit, so that no row fills the memory.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// The largest row, in bytes.
const LARGEST: u64 = 1 << 20;

/// Counts the bytes since the last row.
#[derive(Clone, Debug, Default)]
pub(super) struct RowSize(Rc<Cell<u64>>);

impl RowSize {
    pub(super) fn row_is_read(&self) {
        self.0.set(0);
    }
}

#[derive(Debug)]
pub(super) struct Limited<R> {
    input: R,
    size: RowSize,
}

impl<R: Read> Limited<R> {
    pub(super) fn new(input: R) -> (Self, RowSize) {
        let size = RowSize::default();
        (Self { input, size: size.clone() }, size)
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let size = self.size.0.get() + read as u64;
        self.size.0.set(size);
        if size > LARGEST + buffer.len() as u64 {
            return Err(io::Error::other("a row has more than 1 MiB"));
        }
        Ok(read)
    }
}
