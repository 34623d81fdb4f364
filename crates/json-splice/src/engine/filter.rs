//! A quick no for names that are not looked for.

/// Tells most names that are not in a set from those that are, without a look-up.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// Which lengths there are, modulo 64.
    lengths: u64,
    /// Which hashes there are.
    bits: Vec<u64>,
    /// What a hash is shifted right by to give the number of its bit.
    shift: u32,
}

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Filter {
    /// A filter that lets all of `names` through, and of others about one in sixteen.
    pub(crate) fn new<'n>(names: impl ExactSizeIterator<Item = &'n [u8]>) -> Filter {
        let size = (names.len() * 16).next_power_of_two().max(64);
        let mut filter = Filter {
            lengths: 0,
            bits: vec![0; size / 64],
            shift: 64 - size.trailing_zeros(),
        };
        for name in names {
            filter.lengths |= 1 << (name.len() % 64);
            let bit = filter.bit(name);
            if let Some(word) = filter.bits.get_mut(bit / 64) {
                *word |= 1 << (bit % 64);
            }
        }
        filter
    }

    /// False if `name` is surely not among the names.
    #[inline]
    pub(crate) fn may_hold(&self, name: &[u8]) -> bool {
        if self.lengths >> (name.len() % 64) & 1 == 0 {
            return false;
        }
        let bit = self.bit(name);
        self.bits
            .get(bit / 64)
            .is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    #[inline]
    fn bit(&self, name: &[u8]) -> usize {
        let (words, rest) = name.as_chunks();
        let start = rest.iter().fold(0, |key, byte| key << 8 | u64::from(*byte));
        let hash = words.iter().fold(start, |hash, word| {
            (hash.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(ODD)
        });
        ((hash ^ hash >> 29).wrapping_mul(ODD) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(i: usize) -> String {
        format!("model.layers.{}.mlp.experts.{i}.up_proj.weight", i % 60)
    }

    #[test]
    fn all_names_pass_and_most_others_do_not() {
        let names: Vec<String> = (0..1000)
            .map(name)
            .chain((0..50).map(|i| i.to_string()))
            .collect();
        let filter = Filter::new(names.iter().map(String::as_bytes));
        assert!(names.iter().all(|name| filter.may_hold(name.as_bytes())));
        let passed = (1000..21_000).filter(|i| filter.may_hold(name(*i).as_bytes()));
        assert!(passed.count() < 4000);
        assert!(!Filter::new([].iter().copied()).may_hold(b"a"));
    }
}
