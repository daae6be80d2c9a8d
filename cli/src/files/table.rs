//! Tables of results: CSV, JSON, or an array for numpy, by the end of the file's name.

use std::io::{self, Write};
use std::path::Path;

use crate::progress;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A line for each row below the line of column names.
    Csv,
    /// A list of objects, one a line.
    Json,
    /// A structured array of one dimension, with a field for each column.
    Npy,
}

impl Kind {
    /// CSV unless the name says otherwise.
    pub fn of(path: Option<&Path>) -> Self {
        let end = path.and_then(Path::extension).map(|end| end.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("json") => Self::Json,
            Some("npy") => Self::Npy,
            _ => Self::Csv,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Whole(u32),
    Real(f32),
    Double(f64),
    Text(&'a str),
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    Whole,
    Real,
    Double,
    Text,
}

/// A column: its name, and what its cells are.
pub type Column = (&'static str, Type);

/// Writes a table of `count` rows, which may be asked for twice. Every real number is written so that it reads back to the same bits.
pub fn write<'a, const N: usize, R: Iterator<Item = [Cell<'a>; N]>>(
    kind: Kind,
    columns: [Column; N],
    count: usize,
    rows: impl Fn() -> R,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bar = progress::bar(count as u64, "writing");
    let watched = || rows().inspect(|_| bar.inc(1));
    let written = match kind {
        Kind::Csv => write_csv(columns, watched(), out),
        Kind::Json => write_json(columns, watched(), out),
        Kind::Npy => {
            let mut widths = [0_usize; N];
            for row in rows() {
                for (width, cell) in widths.iter_mut().zip(&row) {
                    if let Cell::Text(text) = cell {
                        *width = (*width).max(text.chars().count());
                    }
                }
            }
            write_npy(columns, widths, count, watched(), out)
        }
    };
    bar.finish_and_clear();
    written
}

fn write_csv<'a, const N: usize>(
    columns: [Column; N],
    rows: impl Iterator<Item = [Cell<'a>; N]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", columns.map(|(name, _)| name).join(","))?;
    for row in rows {
        for (k, cell) in row.into_iter().enumerate() {
            if k > 0 {
                out.write_all(b",")?;
            }
            match cell {
                Cell::Whole(number) => write!(out, "{number}")?,
                // The fewest digits that read back to the same bits.
                Cell::Real(number) => write!(out, "{number:?}")?,
                Cell::Double(number) => write!(out, "{number:?}")?,
                Cell::Text(text) if text.contains([',', '"', '\n', '\r']) => {
                    write!(out, "\"{}\"", text.replace('"', "\"\""))?;
                }
                Cell::Text(text) => out.write_all(text.as_bytes())?,
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_json<'a, const N: usize>(
    columns: [Column; N],
    rows: impl Iterator<Item = [Cell<'a>; N]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (k, row) in rows.enumerate() {
        out.write_all(if k == 0 { b"\n{" } else { b",\n{" })?;
        for (k, ((column, _), cell)) in columns.iter().zip(row).enumerate() {
            let comma = if k == 0 { "" } else { "," };
            match cell {
                Cell::Whole(number) => write!(out, "{comma}\"{column}\":{number}")?,
                Cell::Real(number) => write!(out, "{comma}\"{column}\":{number:?}")?,
                Cell::Double(number) => write!(out, "{comma}\"{column}\":{number:?}")?,
                Cell::Text(text) => write!(out, "{comma}\"{column}\":{}", serde_json::Value::from(text))?,
            }
        }
        out.write_all(b"}")?;
    }
    out.write_all(b"\n]\n")
}

/// `widths` are the most characters of each column of texts. The format is that of numpy.lib.format, version 1.0 (2.0 for headers beyond 64 KiB, which these are not).
fn write_npy<'a, const N: usize>(
    columns: [Column; N],
    widths: [usize; N],
    count: usize,
    rows: impl Iterator<Item = [Cell<'a>; N]>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let field = |k: usize| {
        let (name, kind) = columns[k];
        let kind = match kind {
            Type::Whole => "<u4".to_owned(),
            Type::Real => "<f4".to_owned(),
            Type::Double => "<f8".to_owned(),
            Type::Text => format!("<U{}", widths[k].max(1)),
        };
        format!("('{name}', '{kind}')")
    };
    let fields: Vec<String> = (0..N).map(field).collect();
    let header = format!("{{'descr': [{}], 'fortran_order': False, 'shape': ({count},), }}", fields.join(", "));
    // Magic, version and length are ten bytes; the data begins at a multiple of 64.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(padded as u16).to_le_bytes())?;
    writeln!(out, "{header:<width$}", width = padded - 1)?;
    for row in rows {
        for (cell, width) in row.into_iter().zip(widths) {
            match cell {
                Cell::Whole(number) => out.write_all(&number.to_le_bytes())?,
                Cell::Real(number) => out.write_all(&number.to_le_bytes())?,
                Cell::Double(number) => out.write_all(&number.to_le_bytes())?,
                Cell::Text(text) => {
                    let padding = std::iter::repeat('\0');
                    for c in text.chars().chain(padding).take(width.max(1)) {
                        out.write_all(&u32::from(c).to_le_bytes())?;
                    }
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(kind: Kind, rows: &[[Cell<'_>; 3]]) -> Vec<u8> {
        let mut out = Vec::new();
        write(
            kind,
            [("a", Type::Whole), ("x", Type::Real), ("name", Type::Text)],
            rows.len(),
            || rows.iter().copied(),
            &mut out,
        )
        .unwrap();
        out
    }

    const ROWS: [[Cell<'_>; 3]; 2] = [
        [Cell::Whole(7), Cell::Real(0.1), Cell::Text("plain")],
        [Cell::Whole(8), Cell::Real(-0.0), Cell::Text("a \"b\",\nc ä")],
    ];

    #[test]
    fn csv_has_quotes_where_it_needs_them() {
        let text = String::from_utf8(written(Kind::Csv, &ROWS)).unwrap();
        assert_eq!(text, "a,x,name\n7,0.1,plain\n8,-0.0,\"a \"\"b\"\",\nc ä\"\n");
        assert_eq!(written(Kind::Csv, &[]), b"a,x,name\n");
    }

    #[test]
    fn json_is_a_list_of_objects() {
        let value: serde_json::Value = serde_json::from_slice(&written(Kind::Json, &ROWS)).unwrap();
        assert_eq!((&value[0]["a"], &value[1]["name"]), (&7.into(), &"a \"b\",\nc ä".into()));
        assert_eq!(value[0]["x"].as_f64().map(|x| x as f32), Some(0.1));
        let none: serde_json::Value = serde_json::from_slice(&written(Kind::Json, &[])).unwrap();
        assert_eq!(none, serde_json::json!([]));
    }

    #[test]
    fn arrays_are_those_of_numpy() {
        let bytes = written(Kind::Npy, &ROWS);
        let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        assert!((10 + length).is_multiple_of(64) && header.ends_with('\n'));
        assert_eq!(
            header.trim_end(),
            "{'descr': [('a', '<u4'), ('x', '<f4'), ('name', '<U10')], 'fortran_order': False, 'shape': (2,), }"
        );
        let data = &bytes[10 + length..];
        assert_eq!(data.len(), 2 * (4 + 4 + 4 * 10));
        assert_eq!((&data[..4], &data[4..8]), (&7_u32.to_le_bytes()[..], &0.1_f32.to_le_bytes()[..]));
        assert_eq!((data[8], data[8 + 4 * 5]), (b'p', 0));
        assert_eq!(Kind::of(Some(Path::new("x.NPY"))), Kind::Npy);
        assert_eq!([None, Some("-"), Some("x.txt")].map(|p| Kind::of(p.map(Path::new))), [Kind::Csv; 3]);
    }
}
