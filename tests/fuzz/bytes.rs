//! Bytes as decisions.

/// Takes decisions from bytes; when there are none left, all of them are 0.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let wide = usize::from(self.byte());
        if end > 256 { (wide << 8 | usize::from(self.byte())) % end } else { wide % end.max(1) }
    }

    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A number: mostly small ones that meet exactly, sometimes one of the ends of the range, sometimes any bits at all.
    pub fn number(&mut self) -> f32 {
        const ENDS: [f32; 16] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f32::MAX,
            f32::MIN,
            f32::MIN_POSITIVE,
            f32::EPSILON,
            1e-45,
            -1e-45,
            1e30,
            -1e30,
            f32::NAN,
            f32::INFINITY,
            16_777_217.0,
        ];
        match self.byte() {
            small @ 0..=200 => (f32::from(small) - 100.0) / 8.0,
            201..=230 => ENDS[self.below(ENDS.len())],
            231..=245 => f32::from_bits(1.0_f32.to_bits() + u32::from(self.byte()) - 128),
            _ => f32::from_bits(self.word()),
        }
    }
}
