//! Items grouped by id, in one list. There may be twenty million.

use std::marker::PhantomData;

use super::Id;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buckets<I, T> {
    /// Where each bucket begins in `items`, and the end of the last.
    starts: Vec<u32>,
    items: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I, T> Default for Buckets<I, T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new(), ids: PhantomData }
    }
}

impl<I: Id, T: Copy> Buckets<I, T> {
    /// Groups items by their bucket, in the given order. `buckets` is their number.
    pub fn of(buckets: usize, items: impl Iterator<Item = (I, T)> + Clone) -> Self {
        let mut starts = vec![0_u32; buckets + 1];
        let (mut last, mut are_grouped) = (0, true);
        for (bucket, _) in items.clone() {
            starts[bucket.index() + 1] += 1;
            are_grouped &= last <= bucket.index();
            last = bucket.index();
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        if are_grouped {
            return Self { starts, items: items.map(|(_, item)| item).collect(), ids: PhantomData };
        }
        // The items are placed below. Until then, copies of the first one fill the list.
        let filler = items.clone().next();
        let mut sorted = filler.map_or_else(Vec::new, |(_, item)| vec![item; sum as usize]);
        let mut next = starts.clone();
        for (bucket, item) in items {
            let place = &mut next[bucket.index()];
            sorted[*place as usize] = item;
            *place += 1;
        }
        Self { starts, items: sorted, ids: PhantomData }
    }
}

impl<I: Id, T> Buckets<I, T> {
    /// Adds an item to the bucket after the last one.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Makes a bucket of the items pushed since the last one.
    pub fn close(&mut self) {
        self.starts.push(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
    }

    /// Releases unused memory.
    pub fn shrink(&mut self) {
        self.items.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.len()).map(I::at)
    }

    /// All items, in order of buckets.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// All items, to change them.
    #[cfg(feature = "lsp")]
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The buckets with their items.
    pub fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = (I, &[T])> + ExactSizeIterator + Clone {
        (0..self.len()).map(|bucket| (I::at(bucket), self.get(I::at(bucket))))
    }

    /// The items of a bucket, in the given order.
    pub fn get(&self, bucket: I) -> &[T] {
        let bucket = bucket.index();
        &self.items[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Buckets;
    use crate::domain::ids;

    ids! {
        BucketId;
    }

    #[test]
    fn items_keep_their_order_in_their_bucket() {
        let [first, second, third] = [0, 1, 2].map(BucketId::at);
        let buckets = Buckets::of(3, [(third, 'a'), (first, 'b'), (third, 'c')].into_iter());
        assert_eq!(
            [buckets.get(first), buckets.get(second), buckets.get(third)],
            [&['b'][..], &[], &['a', 'c']]
        );
        assert_eq!((buckets.len(), buckets.items()), (3, &['b', 'a', 'c'][..]));
        let grouped = [(first, 'b'), (third, 'a'), (third, 'c')];
        assert_eq!(Buckets::of(3, grouped.into_iter()), buckets);
        let mut in_order = Buckets::default();
        assert_eq!(in_order.len(), 0);
        for bucket in ["b", "", "ac"] {
            bucket.chars().for_each(|item| in_order.push(item));
            in_order.close();
        }
        assert_eq!(in_order, buckets);
    }
}
