//! The local forms of hulls, as kernels read them.

use crate::det::clean;
use crate::shape::ConvexHull;

/// Of each form where its corners begin and how many they are, and then all corners. (Numbers below the least that kernels compute with are 0.)
/// One vector if there are none.
pub(super) fn words_of(forms: &[ConvexHull]) -> Vec<[u32; 4]> {
    let mut begin = forms.len() as u32;
    let mut words = Vec::with_capacity(forms.len() + 1);
    for form in forms {
        let count = form.local_vertices().len() as u32;
        words.push([begin, count, 0, 0]);
        begin += count;
    }
    let corners = forms.iter().flat_map(|form| form.local_vertices());
    words.extend(corners.map(|corner| {
        let [x, y, z] = corner.to_array().map(|x| clean(x).to_bits());
        [x, y, z, 0]
    }));
    words.resize(words.len().max(1), [0; 4]);
    words
}
