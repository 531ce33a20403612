//! Items grouped by number, in one list. There may be twenty million.

#[derive(Clone, Debug)]
pub struct Buckets<T> {
    /// Where each bucket begins in `items`, and the end of the last.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Buckets<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy> Buckets<T> {
    /// Groups items by their bucket, in the given order. Each bucket must be less than `buckets`.
    #[must_use]
    pub fn of(buckets: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0_u32; buckets + 1];
        for (bucket, _) in items.clone() {
            starts[bucket as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        // Every place gets its item below.
        let filler = items.clone().next();
        let mut sorted = filler.map_or_else(Vec::new, |(_, item)| vec![item; sum as usize]);
        let mut next = starts.clone();
        for (bucket, item) in items {
            let place = &mut next[bucket as usize];
            sorted[*place as usize] = item;
            *place += 1;
        }
        Self { starts, items: sorted }
    }
}

impl<T> Buckets<T> {
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// All items, in order of buckets.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items of a bucket, in the given order.
    #[must_use]
    pub fn get(&self, bucket: usize) -> &[T] {
        &self.items[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Buckets;

    #[test]
    fn items_keep_their_order_in_their_bucket() {
        let buckets = Buckets::of(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
        assert_eq!(
            [buckets.get(0), buckets.get(1), buckets.get(2)],
            [&['b'][..], &[], &['a', 'c']]
        );
        assert_eq!((buckets.len(), buckets.items()), (3, &['b', 'a', 'c'][..]));
        assert_eq!(Buckets::<char>::default().len(), 0);
    }
}
