//! The best samples so far.
//!
//! Which of several equal values is replaced depends on the layout of Prometheus's heap. So this is
//! the same heap as in Go's library.

use super::super::super::dialect::Dialect;
use super::super::pool::{Sample, Vector};

/// At most `most` samples. The worst one is on top.
#[derive(Debug)]
pub(super) struct Best {
    heap: Vec<Sample>,
    most: usize,
    dialect: Dialect,
    /// Whether small values are the better ones.
    smallest: bool,
}

impl Best {
    pub(super) fn new(most: usize, smallest: bool, dialect: Dialect) -> Self {
        Self { heap: Vec::new(), most, dialect, smallest }
    }

    /// Whether `value` is worse than `than`. NaN is the worst.
    fn is_worse(&self, value: f64, than: f64) -> bool {
        value.is_nan() || if self.smallest { value > than } else { value < than }
    }

    pub(super) fn add(&mut self, sample: Sample) {
        if self.heap.len() < self.most {
            self.push(sample);
            return;
        }
        let Some(top) = self.heap.first().map(|top| top.value) else { return };
        let is_better = if self.smallest { sample.value < top } else { sample.value > top };
        match self.dialect {
            // Prometheus 2 removes the top, even if both are NaN, and then adds the sample.
            Dialect::Two if is_better || top.is_nan() => {
                self.heap.swap_remove(0);
                self.down();
                self.push(sample);
            }
            Dialect::Three if is_better || top.is_nan() && !sample.value.is_nan() => {
                self.heap[0] = sample;
                self.down();
            }
            _ => {}
        }
    }

    fn push(&mut self, sample: Sample) {
        self.heap.push(sample);
        self.up(self.heap.len() - 1);
    }

    fn less(&self, i: usize, j: usize) -> bool {
        self.is_worse(self.heap[i].value, self.heap[j].value)
    }

    fn up(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.less(at, parent) {
                break;
            }
            self.heap.swap(at, parent);
            at = parent;
        }
    }

    fn down(&mut self) {
        let (mut at, count) = (0, self.heap.len());
        loop {
            let left = 2 * at + 1;
            if left >= count {
                return;
            }
            let right = left + 1;
            let child = if right < count && self.less(right, left) { right } else { left };
            if !self.less(child, at) {
                return;
            }
            self.heap.swap(at, child);
            at = child;
        }
    }

    /// The samples, the best one first.
    pub(super) fn into_sorted(self) -> Vector {
        let smallest = self.smallest;
        let mut samples = self.heap;
        samples.sort_by(|a, b| {
            let order = a.value.partial_cmp(&b.value).unwrap_or(std::cmp::Ordering::Equal);
            let order = if smallest { order } else { order.reverse() };
            a.value.is_nan().cmp(&b.value.is_nan()).then(order)
        });
        samples
    }
}
