//! The open containers, one bit each.

/// A stack of open containers. It takes a bit a level, so that depth costs next to nothing.
#[derive(Debug, Default)]
pub(crate) struct Nest {
    /// The innermost 64 levels, the innermost in bit 0; 1 is an object.
    top: u64,
    /// Levels further out, in words of 64.
    deep: Vec<u64>,
    depth: usize,
}

impl Nest {
    /// How many containers are open.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the innermost open container is an object; false if none is open.
    #[inline]
    pub(crate) fn in_object(&self) -> bool {
        self.top & 1 == 1
    }

    /// Opens a container.
    #[inline]
    pub(crate) fn open(&mut self, object: bool) {
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.deep.push(self.top);
        }
        self.top = self.top << 1 | u64::from(object);
        self.depth += 1;
    }

    /// Closes the innermost container.
    #[inline]
    pub(crate) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.top >>= 1;
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.top = self.deep.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_back_in_order_across_words() {
        let object = |level: usize| level.is_multiple_of(3) || level.is_multiple_of(7);
        let mut nest = Nest::default();
        for level in 0..1000 {
            nest.open(object(level));
            assert_eq!(nest.depth(), level + 1);
        }
        for level in (0..1000).rev() {
            assert_eq!(nest.in_object(), object(level), "level {level}");
            nest.close();
        }
        assert_eq!(nest.depth(), 0);
        assert!(!nest.in_object());
    }
}
