//! Tries every combination of the choices that an evaluation makes.

/// The choices of one evaluation, which proceeds step by step. The next combination repeats only
/// the steps from the last changed choice on.
#[derive(Default)]
pub(super) struct Choices {
    trail: Vec<Choice>,
    /// The index in the trail of the next choice.
    next: usize,
    step: usize,
}

struct Choice {
    taken: usize,
    of: usize,
    step: usize,
}

impl Choices {
    pub(super) fn begin(&mut self, step: usize) {
        self.step = step;
    }

    /// Chooses one of several options: a number below `of`.
    pub(super) fn take(&mut self, of: usize) -> usize {
        if of < 2 {
            return 0;
        }
        if let Some(choice) = self.trail.get(self.next) {
            self.next += 1;
            return choice.taken;
        }
        self.trail.push(Choice { taken: 0, of, step: self.step });
        self.next = self.trail.len();
        0
    }

    /// Advances to the next combination. Returns the step at which the evaluation must resume. None
    /// at the end.
    pub(super) fn advance(&mut self) -> Option<usize> {
        while let Some(last) = self.trail.last_mut() {
            last.taken += 1;
            if last.taken < last.of {
                let step = last.step;
                self.next = self.trail.partition_point(|choice| choice.step < step);
                return Some(step);
            }
            self.trail.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Choices;

    #[test]
    fn each_combination_comes_once() {
        let mut choices = Choices::default();
        let mut seen = Vec::new();
        let mut taken = [0; 3];
        let mut from = 0;
        loop {
            for (step, taken) in taken.iter_mut().enumerate().skip(from) {
                choices.begin(step);
                // The second step makes two choices, and each other step one.
                *taken = match step {
                    1 => choices.take(2) * 10 + choices.take(2),
                    _ => choices.take(2),
                };
            }
            seen.push(taken);
            match choices.advance() {
                Some(step) => from = step,
                None => break,
            }
        }
        assert_eq!(seen.len(), 16);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 16);
    }
}
