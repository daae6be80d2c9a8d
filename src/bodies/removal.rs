//! Taking bodies out of a set.

use std::sync::Arc;

use super::Bodies;
use super::exclusions::Exclusions;
use super::hulls::Hulls;
use crate::Result;

impl Bodies {
    /// Removes a body and its exclusions. All other bodies keep their ids; that of the removed body is a hole, which the next
    /// [`push`](Self::push) fills.
    ///
    /// ```
    /// # use tangency::{Bodies, Error, shape::Sphere};
    /// # let at = |x: f32| Sphere::new([x, 0.0, 0.0], 0.5);
    /// let mut bodies = Bodies::new();
    /// bodies.extend([at(0.0)?, at(1.0)?, at(2.0)?])?;
    /// bodies.remove(1)?;
    /// assert_eq!(bodies.shape(1), Err(Error::NoSuchBody { index: 1, len: 3 }));
    /// assert_eq!(bodies.shape(2)?, at(2.0)?.into()); // as before
    /// assert_eq!((bodies.push(at(7.0)?)?, bodies.push(at(8.0)?)?), (1, 3));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchBody`](crate::Error::NoSuchBody).
    pub fn remove(&mut self, id: u32) -> Result<()> {
        let i = self.check(id)?;
        let columns = Arc::make_mut(&mut self.columns);
        columns.set_enabled(i, false);
        columns.holes.insert(id);
        columns.exclusions.remove_body(id);
        columns.record(id..id + 1);
        Ok(())
    }

    /// Closes the holes that removed bodies left, and keeps the order of the bodies. Returns the new id of every body: `remap[old]`,
    /// or `None` for a hole.
    ///
    /// Nothing else gives bodies other ids. It pays when most ids are holes: what is kept for each id needs less room then.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// # let at = |x: f32| Sphere::new([x, 0.0, 0.0], 0.5);
    /// let mut bodies = Bodies::new();
    /// bodies.extend([at(0.0)?, at(1.0)?, at(2.0)?])?;
    /// bodies.remove(1)?;
    /// assert_eq!(bodies.compact(), [Some(0), None, Some(1)]);
    /// assert_eq!((bodies.len(), bodies.id_bound()), (2, 2));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn compact(&mut self) -> Vec<Option<u32>> {
        let before = self.id_bound() as u32;
        let Some(&first) = self.columns.holes.first() else {
            return (0..before).map(Some).collect();
        };
        let columns = Arc::make_mut(&mut self.columns);
        let births = Arc::make_mut(&mut columns.births);
        let mut remap = Vec::with_capacity(before as usize);
        let mut kept = 0;
        for id in 0..before {
            if columns.holes.contains(&id) {
                remap.push(None);
                continue;
            }
            let i = id as usize;
            columns.records[kept] = columns.records[i];
            columns.kinds[kept] = columns.kinds[i];
            columns.traits[kept] = columns.traits[i];
            columns.enabled[kept] = columns.enabled[i];
            if !columns.margins.is_empty() {
                columns.margins[kept] = columns.margins[i];
            }
            births[kept] = births[i];
            remap.push(Some(kept as u32));
            kept += 1;
        }
        columns.holes.clear();
        columns.truncate(kept);
        if !columns.exclusions.is_empty() {
            columns.exclusions.remap(&remap);
        }
        columns.record(first..before);
        remap
    }

    /// Removes all bodies, exclusions and shared shapes. Ids begin at 0 again.
    ///
    /// ```
    /// # use tangency::{Bodies, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
    /// bodies.exclude(0, 1)?;
    /// bodies.clear();
    /// assert!(bodies.is_empty() && bodies.excluded().is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn clear(&mut self) {
        let columns = Arc::make_mut(&mut self.columns);
        let before = columns.id_bound() as u32;
        columns.truncate(0);
        columns.exclusions = Exclusions::default();
        columns.shared.clear();
        columns.hulls = Hulls::default();
        columns.record(0..before);
    }
}
