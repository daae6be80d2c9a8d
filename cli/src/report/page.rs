//! One HTML file with its style, its data and its scripts inside.

use std::io::Write;

use serde_json::Value;

use super::embed::{escaped, in_script};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub struct Page<'a> {
    pub title: String,
    /// A class of the page, for its style.
    pub kind: &'static str,
    /// Facts below the title, as text.
    pub facts: Vec<(&'static str, String)>,
    pub styles: &'a [&'a str],
    /// Markup, in which text is already escaped.
    pub body: String,
    pub data: &'a Value,
    pub scripts: &'a [&'a str],
}

impl Page<'_> {
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        fill(TEMPLATE, out, |name, out| match name {
            "version" => write!(out, "{}", env!("CARGO_PKG_VERSION")),
            "title" => write!(out, "{}", escaped(&self.title)),
            "kind" => write!(out, "{}", self.kind),
            "facts" => self.write_facts(out),
            "style" => std::iter::once(&STYLE).chain(self.styles).try_for_each(|part| write!(out, "{part}")),
            "body" => write!(out, "{}", self.body),
            "data" => write!(out, "{}", in_script(self.data)),
            "script" => std::iter::once(&SCRIPT).chain(self.scripts).try_for_each(|part| write!(out, "{part}")),
            _ => Err(std::io::Error::other(format!("page.html has an unknown part {name}"))),
        })
    }

    fn write_facts(&self, out: &mut dyn Write) -> std::io::Result<()> {
        write!(out, "<dl class=\"facts\">")?;
        for (term, value) in &self.facts {
            write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(term), escaped(value))?;
        }
        write!(out, "</dl>")
    }
}

/// Writes the template with `part` in place of each `{{name}}`. What is put in is not looked at again.
fn fill(
    template: &str,
    out: &mut dyn Write,
    part: impl Fn(&str, &mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        write!(out, "{before}")?;
        part(name, out)?;
        rest = after;
    }
    write!(out, "{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_filled_again() {
        let mut out = Vec::new();
        fill("<{{a}}|{{b}}>", &mut out, |name, out| write!(out, "{{{{{name}{name}}}}}")).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "<{{aa}}|{{bb}}>");
    }

    /// Every part of the template is known, and a page loads nothing from anywhere.
    #[test]
    fn a_page_is_whole() {
        let data = serde_json::json!({"name": "</script>"});
        let page = Page {
            title: "<b>{{data}}".to_owned(),
            kind: "scene",
            facts: vec![("file", "\"><script>".to_owned())],
            styles: &["p{}"],
            body: "<main></main>".to_owned(),
            data: &data,
            scripts: &["f();"],
        };
        let mut out = Vec::new();
        page.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.matches("<h1>&lt;b&gt;{{data}}</h1>").count(), 1, "{text}");
        assert!(text.contains("<dd>&quot;&gt;&lt;script&gt;</dd>"));
        assert_eq!((text.matches("<script").count(), text.matches("</script>").count()), (2, 2));
        for loaded in ["http:", "https:", "src=", "href=", "url(", "@import", "import("] {
            assert!(!text.contains(loaded), "{loaded}");
        }
    }
}
