//! One array: a header that is a Python literal, then the numbers (numpy.lib.format, versions 1 to 3).

/// What the elements are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    Single,
    Double,
    /// A whole number of so many bytes.
    Whole {
        signed: bool,
    },
    /// A text of so many characters, four bytes each.
    Text,
}

pub struct Array<'a> {
    pub shape: Vec<usize>,
    pub element: Element,
    /// Bytes of an element.
    size: usize,
    big_endian: bool,
    /// Whether columns, and not rows, come one after the other.
    by_columns: bool,
    data: &'a [u8],
    /// Where the data begins in the file.
    offset: usize,
}

/// A byte of the file, and what is wrong there.
type Error = (usize, String);

impl<'a> Array<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"\x93NUMPY") {
            return Err((0, "this is no array of NumPy: it does not begin with \\x93NUMPY".to_owned()));
        }
        let short = || (bytes.len(), "the file ends within its header".to_owned());
        let (length, start) = match bytes.get(6).ok_or_else(short)? {
            1 => (u32::from(u16::from_le_bytes(part(bytes, 8).ok_or_else(short)?)), 10),
            2 | 3 => (u32::from_le_bytes(part(bytes, 8).ok_or_else(short)?), 12),
            version => return Err((6, format!("the version of the format is {version}; 1 to 3 are read"))),
        };
        let offset = start + length as usize;
        let header = bytes.get(start..offset).ok_or_else(short)?;
        let header = std::str::from_utf8(header).map_err(|_| (start, "the header is no text".to_owned()))?;
        let mut array = Self::described(header).map_err(|reason| (start, reason))?;
        let elements = array.shape.iter().try_fold(1_usize, |product, n| product.checked_mul(*n));
        let needed = elements.and_then(|elements| elements.checked_mul(array.size));
        let data = &bytes[offset..];
        if needed.is_none_or(|needed| data.len() < needed) {
            let reason = format!("the file ends here; an array of shape {:?} is longer", array.shape);
            return Err((bytes.len(), reason));
        }
        (array.data, array.offset) = (data, offset);
        Ok(array)
    }

    /// What the header says: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 10), }`.
    fn described(header: &str) -> Result<Self, String> {
        let after = |key: &str| {
            let found = [format!("'{key}'"), format!("\"{key}\"")].into_iter().find_map(|key| {
                header
                    .find(&key)
                    .and_then(|at| header[at + key.len()..].trim_start().strip_prefix(':'))
                    .map(str::trim_start)
            });
            found.ok_or_else(|| format!("the header has no {key}: {header:?}"))
        };
        let descr = after("descr")?;
        let quote = descr.chars().next().filter(|c| ['\'', '"'].contains(c));
        let Some((descr, _)) = quote.and_then(|quote| descr[1..].split_once(quote)) else {
            return Err("the array has several fields; give one of plain numbers".to_owned());
        };
        let (order, kind) = descr.split_at(usize::from(descr.starts_with(['<', '>', '|', '='])));
        let refused = || format!("the type is {descr}; it must be f4 or f8 (float32 or float64)");
        let width: usize = kind.get(1..).and_then(|width| width.parse().ok()).ok_or_else(refused)?;
        let (element, size) = match (&kind[..1], width) {
            ("f", 4) => (Element::Single, 4),
            ("f", 8) => (Element::Double, 8),
            ("i", 1 | 2 | 4 | 8) => (Element::Whole { signed: true }, width),
            ("u", 1 | 2 | 4 | 8) | ("b", 1) => (Element::Whole { signed: false }, width),
            ("U", _) => (Element::Text, width.checked_mul(4).ok_or_else(refused)?),
            _ => return Err(refused()),
        };
        let shape = after("shape")?;
        let inside = shape.strip_prefix('(').and_then(|shape| shape.split_once(')')).map(|(inside, _)| inside);
        let numbers =
            inside.map(|inside| inside.split(',').map(str::trim).filter(|n| !n.is_empty()).map(str::parse).collect());
        let Some(Ok(shape)) = numbers else { return Err(format!("the header has no shape: {header:?}")) };
        let by_columns = after("fortran_order")?.starts_with("True");
        Ok(Self { shape, element, size, big_endian: order == ">", by_columns, data: &[], offset: 0 })
    }

    /// The rows of real numbers.
    pub fn reals(&self) -> Result<Reals<'_>, String> {
        match self.element {
            Element::Single | Element::Double => Ok(Reals { array: self }),
            _ => Err("the array has no real numbers; its type must be f4 or f8 (float32 or float64)".to_owned()),
        }
    }

    /// The elements of an array of one dimension, each as a number from 0 to 2³² − 1.
    pub fn whole_numbers(&self) -> Result<Vec<u32>, String> {
        let Element::Whole { signed } = self.element else {
            return Err("the array has no whole numbers; give one of integers".to_owned());
        };
        let number = |bytes: &[u8]| {
            let mut wide = [0; 8];
            for (place, k) in wide.iter_mut().zip(0..bytes.len()) {
                *place = bytes[if self.big_endian { bytes.len() - 1 - k } else { k }];
            }
            let value = u64::from_le_bytes(wide);
            // A negative number has its highest bit set.
            let negative = signed && value >> (8 * bytes.len() - 1) & 1 == 1;
            u32::try_from(value)
                .ok()
                .filter(|_| !negative)
                .ok_or_else(|| "a number is below 0 or above 4294967295".to_owned())
        };
        self.elements()?.map(number).collect()
    }

    /// The elements of an array of one dimension, as texts.
    pub fn texts(&self) -> Result<Vec<String>, String> {
        if self.element != Element::Text {
            return Err("the array has no text; its type must be U (str)".to_owned());
        }
        let text = |bytes: &[u8]| {
            let chars = bytes.chunks_exact(4).map(|four| {
                let four: [u8; 4] = std::array::from_fn(|k| four[k]);
                if self.big_endian { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) }
            });
            chars
                .take_while(|c| *c != 0)
                .map(|c| char::from_u32(c).ok_or_else(|| format!("{c:#x} is no character")))
                .collect()
        };
        self.elements()?.map(text).collect()
    }

    fn elements(&self) -> Result<impl Iterator<Item = &[u8]>, String> {
        match self.shape[..] {
            [count] if self.size > 0 => Ok(self.data.chunks_exact(self.size).take(count)),
            _ => Err(format!("the shape is {:?}; it must be (bodies,)", self.shape)),
        }
    }
}

fn part<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

/// The real numbers of an array of two dimensions.
pub struct Reals<'a> {
    array: &'a Array<'a>,
}

impl Reals<'_> {
    /// Where in the file an element is.
    pub fn byte(&self, row: usize, column: usize) -> usize {
        let Array { shape, size, by_columns, offset, .. } = self.array;
        offset + size * if *by_columns { column * shape[0] + row } else { row * shape[1] + column }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        let (array, at) = (self.array, self.byte(row, column) - self.array.offset);
        let bytes = &array.data[at..at + array.size];
        let of = |k: usize| bytes[if array.big_endian { array.size - 1 - k } else { k }];
        match array.element {
            Element::Single => f64::from(f32::from_le_bytes(std::array::from_fn(of))),
            _ => f64::from_le_bytes(std::array::from_fn(of)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        [&bytes, header.as_bytes(), data].concat()
    }

    #[test]
    fn every_order_of_bytes_and_elements_is_read() {
        let little: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let bytes = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", &little);
        let array = Array::parse(&bytes).unwrap();
        let reals = array.reals().unwrap();
        assert_eq!([reals.at(0, 2), reals.at(1, 0)], [3.0, 4.0]);
        assert_eq!(reals.byte(1, 0), bytes.len() - 12);
        let big: Vec<u8> = [1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|x| x.to_be_bytes()).collect();
        let bytes = file("{\"descr\": \">f8\", \"fortran_order\": True, \"shape\": (2, 3)}", &big);
        let array = Array::parse(&bytes).unwrap();
        let reals = array.reals().unwrap();
        assert_eq!([reals.at(0, 0), reals.at(1, 0), reals.at(0, 1), reals.at(1, 2)], [1.0, 2.0, 3.0, 6.0]);
        let whole = file("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", &[1, 2, 0, 7]);
        assert_eq!(Array::parse(&whole).unwrap().whole_numbers().unwrap(), [258, 7]);
        let negative = file("{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", &[255; 8]);
        assert!(Array::parse(&negative).unwrap().whole_numbers().is_err());
        let text = file(
            "{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }",
            &[65, 0, 0, 0, 0, 0, 0, 0, 228, 0, 0, 0, 66, 0, 0, 0],
        );
        assert_eq!(Array::parse(&text).unwrap().texts().unwrap(), ["A", "äB"]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let good = file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }", &[0; 16]);
        for (bytes, reason) in [
            (&b"kind,cx"[..], "does not begin with"),
            (&good[..9], "ends within its header"),
            (&good[..30], "ends within its header"),
            (&good[..good.len() - 1], "an array of shape [1, 4] is longer"),
            (&file("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 4), }", &[0; 32]), "the type is <c8"),
            (&file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", &[0; 32]), "several fields"),
            (&file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", &[0; 32]), "the type is |O"),
            (&file("{'descr': '<f4', 'fortran_order': False, 'shape': (x,), }", &[0; 32]), "no shape"),
            (&file("{'descr': '<f4', 'shape': (1, 4), }", &[0; 32]), "no fortran_order"),
            (
                &file("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", &[]),
                "is longer",
            ),
        ] {
            let (_, message) = Array::parse(bytes).err().expect(reason);
            assert!(message.contains(reason), "{message}");
        }
        assert_eq!(Array::parse(&good[..good.len() - 1]).err().unwrap().0, good.len() - 1);
    }
}
