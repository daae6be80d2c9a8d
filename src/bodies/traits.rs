/// What decides, apart from its shape, which others a body may meet.
///
/// Two bodies may be reported as a pair if all of this holds:
/// - they are in the same world;
/// - each one's layer is in the other's mask: `a.layer & b.mask != 0 && b.layer & a.mask != 0`;
/// - they are not in the same group, unless that is 0;
/// - at least one of them can move.
///
/// ```
/// use tangency::Traits;
///
/// let player = Traits::new().layer(0b01).mask(0b11);
/// let ghost = Traits::new().layer(0b10).mask(0b10); // meets only ghosts
/// assert!(player.may_meet(&player) && !player.may_meet(&ghost) && ghost.may_meet(&ghost));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Traits {
    layer: u32,
    mask: u32,
    group: u32,
    world: u32,
    fixed: bool,
}

impl Default for Traits {
    fn default() -> Self {
        Self::new()
    }
}

impl Traits {
    /// Layer 1, the mask of all layers, no group, world 0, movable: meets everything that does not object.
    pub const fn new() -> Self {
        Self { layer: 1, mask: !0, group: 0, world: 0, fixed: false }
    }

    /// The layers that the body is in, one bit each. With none it meets nothing.
    #[must_use]
    pub const fn layer(mut self, layer: u32) -> Self {
        self.layer = layer;
        self
    }

    /// The layers that the body meets, one bit each.
    #[must_use]
    pub const fn mask(mut self, mask: u32) -> Self {
        self.mask = mask;
        self
    }

    /// Bodies of one group do not meet, like the links of one robot. 0 is no group.
    #[must_use]
    pub const fn group(mut self, group: u32) -> Self {
        self.group = group;
        self
    }

    /// Bodies of different worlds do not meet, though they share coordinates.
    #[must_use]
    pub const fn world(mut self, world: u32) -> Self {
        self.world = world;
        self
    }

    /// Whether the body never moves: two such bodies are not reported as a pair.
    #[must_use]
    pub const fn fixed(mut self, fixed: bool) -> Self {
        self.fixed = fixed;
        self
    }

    /// The layers that the body is in.
    pub const fn get_layer(&self) -> u32 {
        self.layer
    }

    /// The layers that the body meets.
    pub const fn get_mask(&self) -> u32 {
        self.mask
    }

    /// The group.
    pub const fn get_group(&self) -> u32 {
        self.group
    }

    /// The world.
    pub const fn get_world(&self) -> u32 {
        self.world
    }

    /// Whether the body never moves.
    pub const fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Whether two bodies with these traits may be reported as a pair.
    #[inline]
    pub const fn may_meet(&self, other: &Self) -> bool {
        self.world == other.world
            && self.layer & other.mask != 0
            && other.layer & self.mask != 0
            && (self.group == 0 || self.group != other.group)
            && !(self.fixed && other.fixed)
    }
}
