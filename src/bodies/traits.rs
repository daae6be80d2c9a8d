/// The traits of a body, which decide together with its shape which other bodies it meets.
///
/// Two bodies may be reported as a pair if all of this holds:
/// - they are in the same world, or one of them is in every world;
/// - the layers of each are in the mask of the other: `a.layer & b.mask != 0 && b.layer & a.mask != 0`;
/// - they are not in the same group, unless that is group 0;
/// - at least one of them is not fixed.
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
#[non_exhaustive]
pub struct Traits {
    /// The layers that the body is in, one bit each.
    pub layer: u32,
    /// The layers that the body meets, one bit each.
    pub mask: u32,
    /// Bodies of one group do not meet each other; 0 is not a group.
    pub group: u32,
    /// Bodies of different worlds do not meet each other; [`EVERY_WORLD`](Self::EVERY_WORLD) is all of them.
    pub world: u32,
    /// Fixed bodies do not meet each other.
    pub fixed: bool,
}

impl Default for Traits {
    fn default() -> Self {
        Self::new()
    }
}

impl Traits {
    /// The world of a body that is in every world: it meets the bodies of all of them, and is stored once.
    ///
    /// ```
    /// # use tangency::Traits;
    /// let floor = Traits::new().world(Traits::EVERY_WORLD);
    /// assert!(floor.may_meet(&Traits::new().world(7)) && floor.may_meet(&floor));
    /// ```
    pub const EVERY_WORLD: u32 = u32::MAX;

    /// The default: layer 1, the mask of all layers, group 0, world 0, not fixed. Such bodies all meet each other.
    ///
    /// ```
    /// # use tangency::Traits;
    /// let usual = Traits::new();
    /// assert_eq!((usual.layer, usual.mask, usual.group, usual.world), (1, u32::MAX, 0, 0));
    /// assert!(!usual.fixed);
    /// ```
    pub const fn new() -> Self {
        Self { layer: 1, mask: !0, group: 0, world: 0, fixed: false }
    }

    /// Sets the layers that the body is in, one bit each. A body in no layer meets nothing.
    ///
    /// ```
    /// # use tangency::Traits;
    /// assert!(!Traits::new().layer(0).may_meet(&Traits::new()));
    /// ```
    #[must_use]
    pub const fn layer(mut self, layer: u32) -> Self {
        self.layer = layer;
        self
    }

    /// Sets the layers that the body meets, one bit each.
    ///
    /// ```
    /// # use tangency::Traits;
    /// let picky = Traits::new().mask(0b10);
    /// assert!(picky.may_meet(&Traits::new().layer(0b10)) && !picky.may_meet(&Traits::new().layer(0b01)));
    /// ```
    #[must_use]
    pub const fn mask(mut self, mask: u32) -> Self {
        self.mask = mask;
        self
    }

    /// Sets the group. Bodies of one group do not meet, like the links of one robot; those of group 0 do.
    ///
    /// ```
    /// # use tangency::Traits;
    /// let link = Traits::new().group(7);
    /// assert!(!link.may_meet(&link) && link.may_meet(&Traits::new().group(8)));
    /// assert!(Traits::new().group(0).may_meet(&Traits::new()));
    /// ```
    #[must_use]
    pub const fn group(mut self, group: u32) -> Self {
        self.group = group;
        self
    }

    /// Sets the world. Bodies of different worlds do not meet, though they share coordinates.
    ///
    /// ```
    /// # use tangency::Traits;
    /// assert!(!Traits::new().world(1).may_meet(&Traits::new().world(2)));
    /// ```
    #[must_use]
    pub const fn world(mut self, world: u32) -> Self {
        self.world = world;
        self
    }

    /// Puts the body into every world, like an obstacle that all configurations of a robot share.
    ///
    /// ```
    /// # use tangency::Traits;
    /// let obstacle = Traits::new().in_every_world();
    /// assert!((0..9).all(|world| obstacle.may_meet(&Traits::new().world(world))));
    /// ```
    #[must_use]
    pub const fn in_every_world(self) -> Self {
        self.world(Self::EVERY_WORLD)
    }

    /// Sets whether the body is fixed: two fixed bodies are not reported as a pair.
    ///
    /// ```
    /// # use tangency::Traits;
    /// let wall = Traits::new().fixed(true);
    /// assert!(!wall.may_meet(&wall) && wall.may_meet(&Traits::new()));
    /// ```
    #[must_use]
    pub const fn fixed(mut self, fixed: bool) -> Self {
        self.fixed = fixed;
        self
    }

    /// Whether two bodies with these traits may be reported as a pair.
    ///
    /// ```
    /// # use tangency::Traits;
    /// let (player, wall) = (Traits::new().layer(0b01), Traits::new().layer(0b10).fixed(true));
    /// assert!(player.may_meet(&wall) && !wall.may_meet(&wall));
    /// ```
    #[inline]
    pub const fn may_meet(&self, other: &Self) -> bool {
        (self.world == other.world || self.world == Self::EVERY_WORLD || other.world == Self::EVERY_WORLD)
            && self.layer & other.mask != 0
            && other.layer & self.mask != 0
            && (self.group == 0 || self.group != other.group)
            && !(self.fixed && other.fixed)
    }
}
