//! Tests on adapters.
