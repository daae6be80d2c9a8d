//! The numbers of an accessor: positions and indices.

use serde_json::Value;

use super::document::Document;

/// The most elements of an accessor without data, all of which are zero.
const MOST_ZEROS: usize = 1 << 24;

/// A type of numbers.
#[derive(Clone, Copy, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: &Value) -> Result<Self, String> {
        Ok(match code.as_u64() {
            Some(5120) => Self::I8,
            Some(5121) => Self::U8,
            Some(5122) => Self::I16,
            Some(5123) => Self::U16,
            Some(5125) => Self::U32,
            Some(5126) => Self::F32,
            _ => return Err(format!("componentType is {code}, which is none")),
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in these bytes; normalized ones are parts of the largest.
    fn number(self, bytes: &[u8], normalized: bool) -> f64 {
        let two = || [bytes[0], bytes[1]];
        let four = || [bytes[0], bytes[1], bytes[2], bytes[3]];
        let (value, most) = match self {
            Self::I8 => (f64::from(bytes[0] as i8), 127.0),
            Self::U8 => (f64::from(bytes[0]), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes(two())), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes(two())), 65535.0),
            Self::U32 => (f64::from(u32::from_le_bytes(four())), 1.0),
            Self::F32 => (f64::from(f32::from_le_bytes(four())), 1.0),
        };
        if normalized { (value / most).max(-1.0) } else { value }
    }
}

/// All elements of an accessor with N components.
pub fn read<const N: usize>(document: &Document, index: &Value) -> Result<Vec<[f64; N]>, String> {
    elements(document, document.at("accessors", index)?).map_err(|reason| format!("accessor {index}: {reason}"))
}

fn elements<const N: usize>(document: &Document, accessor: &Value) -> Result<Vec<[f64; N]>, String> {
    let due = if N == 1 { "SCALAR" } else { "VEC3" };
    if accessor["type"].as_str() != Some(due) {
        return Err(format!("type is {}; it must be {due}", accessor["type"]));
    }
    let component = Component::of(&accessor["componentType"])?;
    let normalized = accessor["normalized"].as_bool().unwrap_or(false);
    let count = number(accessor, "count")?;
    let mut elements = if accessor["bufferView"].is_null() {
        if accessor["sparse"].is_null() || count > MOST_ZEROS {
            return Err("there is no bufferView: the data is compressed, or missing".to_owned());
        }
        vec![[0.0; N]; count]
    } else {
        let view =
            View::new(document, &accessor["bufferView"], number(accessor, "byteOffset")?, N * component.size(), count)?;
        (0..count).map(|k| view.element(k, component, normalized)).collect()
    };
    if !accessor["sparse"].is_null() {
        substitute(document, &accessor["sparse"], component, normalized, &mut elements)?;
    }
    match elements.iter().position(|element| element.iter().any(|number| !number.is_finite())) {
        Some(k) => Err(format!("element {k} is {:?}; it must be finite", elements[k])),
        None => Ok(elements),
    }
}

/// Replaces the elements that a sparse accessor names.
fn substitute<const N: usize>(
    document: &Document,
    sparse: &Value,
    component: Component,
    normalized: bool,
    elements: &mut [[f64; N]],
) -> Result<(), String> {
    let count = number(sparse, "count")?;
    let (indices, values) = (&sparse["indices"], &sparse["values"]);
    let kind = Component::of(&indices["componentType"])?;
    let places = View::new(document, &indices["bufferView"], number(indices, "byteOffset")?, kind.size(), count)?;
    let replaced =
        View::new(document, &values["bufferView"], number(values, "byteOffset")?, N * component.size(), count)?;
    for k in 0..count {
        let [place] = places.element(k, kind, false);
        let of = elements.len();
        let element = elements.get_mut(place as usize);
        *element.ok_or_else(|| format!("sparse: there is no element {place}; there are {of}"))? =
            replaced.element(k, component, normalized);
    }
    Ok(())
}

/// A member that is a whole number; 0 if it is absent.
fn number(of: &Value, name: &str) -> Result<usize, String> {
    match &of[name] {
        Value::Null => Ok(0),
        value => {
            value.as_u64().map(|n| n as usize).ok_or_else(|| format!("{name} is {value}, which is no whole number"))
        }
    }
}

/// Elements of a buffer, one every so many bytes.
struct View<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> View<'a> {
    /// The elements of `size` bytes each that begin `offset` bytes into a buffer view, all of which are there.
    fn new(document: &'a Document, index: &Value, offset: usize, size: usize, count: usize) -> Result<Self, String> {
        let view = document.at("bufferViews", index)?;
        let which = view["buffer"].as_u64().and_then(|buffer| document.buffers.get(buffer as usize));
        let buffer = which.ok_or_else(|| format!("bufferView {index}: there is no buffer {}", view["buffer"]))?;
        let (start, length) = (number(view, "byteOffset")?, number(view, "byteLength")?);
        let stride = match number(view, "byteStride")? {
            0 => size,
            stride if stride >= size => stride,
            stride => {
                return Err(format!("bufferView {index}: byteStride is {stride}, and an element has {size} bytes"));
            }
        };
        let bytes = start.checked_add(length).and_then(|end| buffer.get(start..end));
        let bytes =
            bytes.ok_or_else(|| format!("bufferView {index} reaches beyond its buffer of {} bytes", buffer.len()))?;
        let needed = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size));
        let needed = needed.and_then(|needed| needed.checked_add(offset));
        match needed.filter(|needed| *needed <= bytes.len()).and_then(|_| bytes.get(offset..)) {
            Some(bytes) => Ok(Self { bytes, stride }),
            None => Err(format!("{count} elements reach beyond bufferView {index} of {} bytes", bytes.len())),
        }
    }

    fn element<const N: usize>(&self, k: usize, component: Component, normalized: bool) -> [f64; N] {
        let bytes = &self.bytes[k * self.stride..];
        std::array::from_fn(|i| component.number(&bytes[i * component.size()..], normalized))
    }
}
