//! Random numbers that are the same on every machine.

use super::rollout::Time;

/// The generator SplitMix64.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A random number from `0` to `most`. The bias is less than the size of the range divided by
    /// 2⁶⁴.
    pub fn up_to(&mut self, most: u64) -> u64 {
        let product = u128::from(self.next_bits()) * (u128::from(most) + 1);
        u64::try_from(product >> 64).unwrap_or(most)
    }

    /// Draws how long something takes.
    pub fn draw(&mut self, time: Time) -> u64 {
        match time {
            Time::Fixed(seconds) => seconds,
            Time::Between(least, most) => least + self.up_to(most.saturating_sub(least)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SplitMix64, Time};

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut random = SplitMix64::new(1_234_567);
        let bits = [random.next_bits(), random.next_bits(), random.next_bits()];
        assert_eq!(
            bits,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn both_ends_of_a_range_are_drawn() {
        let mut random = SplitMix64::new(1);
        let drawn: Vec<u64> = (0..100).map(|_| random.draw(Time::Between(3, 5))).collect();
        assert!([3, 4, 5].iter().all(|seconds| drawn.contains(seconds)));
        assert!(drawn.iter().all(|seconds| (3..=5).contains(seconds)));
        let most = Time::Between(u64::MAX, u64::MAX);
        assert_eq!(random.draw(most), u64::MAX);
    }
}
