//! Reading a shape through its constructor, so that what was read is valid.

/// `Deserialize` for a shape: its fields by name, handed to `new` in the order given.
macro_rules! deserialize_through_new {
    ($shape:ident { $($field:ident: $kind:ty),+ }) => {
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $shape {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                #[derive(serde::Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Fields {
                    $($field: $kind),+
                }
                let Fields { $($field),+ } = Fields::deserialize(deserializer)?;
                Self::new($($field),+).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(super) use deserialize_through_new;
