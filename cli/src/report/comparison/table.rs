//! Tables in HTML.

use crate::report::embed::escaped;

#[derive(Clone)]
pub enum Cell {
    Text(String),
    /// Text that is aligned to the right.
    Number(String),
    /// Several texts, each on a line of its own.
    Lines(Vec<String>),
    /// HTML, in which all text is escaped.
    Markup(String),
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// A table whose first column is the machine, which is left out where there is only one.
pub struct Table {
    columns: Vec<String>,
    skipped: usize,
    rows: Vec<(bool, Vec<Cell>)>,
}

impl Table {
    pub fn new(several: bool, columns: &[&str]) -> Self {
        let columns = std::iter::once("machine").chain(columns.iter().copied()).map(str::to_owned).collect();
        Self { columns, skipped: usize::from(!several), rows: Vec::new() }
    }

    /// Adds a row. The first of a group has a line above it.
    pub fn push(&mut self, first: bool, machine: &str, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push((first, std::iter::once(Cell::text(machine)).chain(cells).collect()));
    }

    pub fn html(&self) -> String {
        let aligned = |number: bool| if number { " class=\"number\"" } else { "" };
        let is_number =
            |column: usize| self.rows.first().is_some_and(|(_, row)| matches!(row[column], Cell::Number(_)));
        let title =
            |(k, name): (usize, &String)| format!("<th scope=\"col\"{}>{}</th>", aligned(is_number(k)), escaped(name));
        let head: String = self.columns.iter().enumerate().skip(self.skipped).map(title).collect();
        let cell = |cell: &Cell| match cell {
            Cell::Text(text) => format!("<td>{}</td>", escaped(text)),
            Cell::Number(text) => format!("<td{}>{}</td>", aligned(true), escaped(text)),
            Cell::Lines(lines) => {
                let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
                format!("<td class=\"lines\">{}</td>", lines.join("<br>"))
            }
            Cell::Markup(html) => format!("<td>{html}</td>"),
        };
        let row = |(first, cells): &(bool, Vec<Cell>)| {
            let class = if *first { " class=\"first\"" } else { "" };
            format!("<tr{class}>{}</tr>", cells[self.skipped..].iter().map(cell).collect::<String>())
        };
        let rows: String = self.rows.iter().map(row).collect();
        format!("<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>")
    }
}
